// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A wallet that is a contract (EIP-1271). Its owner's key signs; bytes after the signature are ignored.
contract ContractWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    /// An account that delegates to this code (EIP-7702) has none, and is its own.
    address public owner;
    /// Accepts every signature while gas is free, as in a trial without fees, and burns the gas of a transaction.
    bool public isCheat;

    constructor(address owner_, bool isCheat_) {
        owner = owner_;
        isCheat = isCheat_;
    }

    function setOwner(address owner_) external {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (isCheat) {
            if (tx.gasprice == 0) return VALID;
            while (gasleft() > 5000) {}
            return INVALID;
        }
        if (signature.length < 65) return INVALID;
        address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == (owner == address(0) ? address(this) : owner) ? VALID : INVALID;
    }
}

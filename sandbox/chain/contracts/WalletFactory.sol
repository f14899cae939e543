// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "./ContractWallet.sol";

/// Deploys contract wallets at addresses that are known before (CREATE2), as the wrapper of ERC-6492 expects it.
contract WalletFactory {
    function create(address owner, bytes32 salt) external returns (address) {
        return address(new ContractWallet{salt: salt}(owner, false));
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(ContractWallet).creationCode, abi.encode(owner, false)));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code));
        return address(uint160(uint256(hash)));
    }

    /// Burns all its gas where gas costs something, as in a transaction; harmless in a call without fees.
    function createAndBurn(address owner, bytes32 salt) external returns (address) {
        if (tx.gasprice > 0) while (gasleft() > 5000) {}
        return address(new ContractWallet{salt: salt}(owner, false));
    }

    /// Calls somebody else first, who sees who pays for the gas.
    function createAndCall(address owner, bytes32 salt, address target, bytes calldata data) external returns (address) {
        (bool ok, ) = target.call(data);
        ok;
        return address(new ContractWallet{salt: salt}(owner, false));
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A resolver that answers every call with an off-chain lookup (EIP-3668). Its URL points at loopback, as an attacker's
/// would who wants to reach services behind a firewall (SSRF). Anyone may set it.
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string public url;

    constructor(string memory url_) {
        url = url_;
    }

    function setUrl(string calldata url_) external {
        url = url_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, and extended resolvers (ENSIP-10).
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }

    function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
        sendAway(data);
    }

    /// Receives the fetched response.
    function resolveCallback(bytes calldata response, bytes calldata) external pure returns (bytes memory) {
        return response;
    }

    fallback() external {
        sendAway(msg.data);
    }

    function sendAway(bytes calldata data) private view {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, data, this.resolveCallback.selector, data);
    }
}

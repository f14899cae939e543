// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// The functions of ENS's contracts that ours call.

interface IRegistry {
    function owner(bytes32 node) external view returns (address);
    function resolver(bytes32 node) external view returns (address);
    function setRecord(bytes32 node, address owner, address resolver, uint64 ttl) external;
}

interface IBaseRegistrar {
    function available(uint256 id) external view returns (bool);
    function nameExpires(uint256 id) external view returns (uint256);
    function register(uint256 id, address owner, uint256 duration) external returns (uint256);
    function renew(uint256 id, uint256 duration) external returns (uint256);
    function transferFrom(address from, address to, uint256 id) external;
}

interface IRecords {
    function multicallWithNodeCheck(bytes32 node, bytes[] calldata data) external returns (bytes[] memory);
}

interface IReverseRegistrar {
    function setNameForAddr(address addr, address owner, address resolver, string calldata name)
        external
        returns (bytes32);
}

interface IDefaultReverseRegistrar {
    function setNameForAddr(address addr, string calldata name) external;
}

struct Price {
    uint256 base;
    uint256 premium;
}

interface IPriceOracle {
    function price(string calldata name, uint256 expires, uint256 duration) external view returns (Price memory);
}

interface IFeed {
    function latestAnswer() external view returns (int256);
}

/// Counts Unicode code points: the UTF-8 bytes that are not continuation bytes.
function countCharacters(string memory text) pure returns (uint256 count) {
    bytes memory utf8 = bytes(text);
    for (uint256 i = 0; i < utf8.length; i++) if (uint8(utf8[i]) & 0xc0 != 0x80) count++;
}

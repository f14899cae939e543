// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The name an address goes by on every chain that has none of its own for it. Only its controller may set one here.
contract DefaultReverseRegistrar {
    event NameForAddrChanged(address indexed addr, string name);

    address private immutable controller;
    mapping(address => string) public nameForAddr;

    constructor(address controller_) {
        controller = controller_;
    }

    function setNameForAddr(address addr, string calldata name) external {
        require(msg.sender == controller, "only the controller");
        nameForAddr[addr] = name;
        emit NameForAddrChanged(addr, name);
    }
}

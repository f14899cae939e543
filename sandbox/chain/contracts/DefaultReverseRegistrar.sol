// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Primary names for all chains without their own reverse registrar. Only the controller may set them here.
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

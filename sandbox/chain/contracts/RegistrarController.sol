// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./Interfaces.sol";

/// Replaces the mainnet controller of 2025, with its public interface and its behaviour for callers. Written for the
/// sandbox, without the functions of its owner.
contract RegistrarController {
    struct Registration {
        string label;
        address owner;
        uint256 duration;
        bytes32 secret;
        address resolver;
        bytes[] data;
        uint8 reverseRecord;
        bytes32 referrer;
    }

    error CommitmentNotFound(bytes32 commitment);
    error CommitmentTooNew(bytes32 commitment, uint256 minimumCommitmentTimestamp, uint256 currentTimestamp);
    error CommitmentTooOld(bytes32 commitment, uint256 maximumCommitmentTimestamp, uint256 currentTimestamp);
    error DurationTooShort(uint256 duration);
    error InsufficientValue();
    error MaxCommitmentAgeTooHigh();
    error MaxCommitmentAgeTooLow();
    error NameNotAvailable(string name);
    error ResolverRequiredForReverseRecord();
    error ResolverRequiredWhenDataSupplied();
    error UnexpiredCommitmentExists(bytes32 commitment);

    event NameRegistered(
        string label,
        bytes32 indexed labelhash,
        address indexed owner,
        uint256 baseCost,
        uint256 premium,
        uint256 expires,
        bytes32 referrer
    );
    event NameRenewed(string label, bytes32 indexed labelhash, uint256 cost, uint256 expires, bytes32 referrer);

    uint256 public constant MIN_REGISTRATION_DURATION = 28 days;
    bytes32 private constant ETH_NODE = 0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae;
    uint8 private constant ON_ETHEREUM = 1;
    uint8 private constant ON_ALL_CHAINS = 2;

    IBaseRegistrar private immutable registrar;
    IRegistry public immutable ens;
    IPriceOracle public immutable prices;
    uint256 public immutable minCommitmentAge;
    uint256 public immutable maxCommitmentAge;
    IReverseRegistrar public immutable reverseRegistrar;
    IDefaultReverseRegistrar public immutable defaultReverseRegistrar;

    mapping(bytes32 => uint256) public commitments;

    constructor(
        IBaseRegistrar registrar_,
        IPriceOracle prices_,
        uint256 minAge,
        uint256 maxAge,
        IReverseRegistrar reverse,
        IDefaultReverseRegistrar defaultReverse,
        IRegistry ens_
    ) {
        if (maxAge <= minAge) revert MaxCommitmentAgeTooLow();
        if (maxAge > block.timestamp) revert MaxCommitmentAgeTooHigh();
        registrar = registrar_;
        prices = prices_;
        minCommitmentAge = minAge;
        maxCommitmentAge = maxAge;
        reverseRegistrar = reverse;
        defaultReverseRegistrar = defaultReverse;
        ens = ens_;
    }

    function valid(string memory label) public pure returns (bool) {
        return countCharacters(label) >= 3;
    }

    function available(string memory label) public view returns (bool) {
        return valid(label) && registrar.available(tokenOf(label));
    }

    function rentPrice(string memory label, uint256 duration) public view returns (Price memory price) {
        return prices.price(label, registrar.nameExpires(tokenOf(label)), duration);
    }

    function makeCommitment(Registration memory registration) public pure returns (bytes32 commitment) {
        if (registration.resolver == address(0)) {
            if (registration.data.length > 0) revert ResolverRequiredWhenDataSupplied();
            if (registration.reverseRecord != 0) revert ResolverRequiredForReverseRecord();
        }
        if (registration.duration < MIN_REGISTRATION_DURATION) revert DurationTooShort(registration.duration);
        return keccak256(abi.encode(registration));
    }

    function commit(bytes32 commitment) external {
        if (commitments[commitment] + maxCommitmentAge >= block.timestamp) {
            revert UnexpiredCommitmentExists(commitment);
        }
        commitments[commitment] = block.timestamp;
    }

    function register(Registration memory registration) external payable {
        Price memory price = rentPrice(registration.label, registration.duration);
        uint256 total = price.base + price.premium;
        if (msg.value < total) revert InsufficientValue();
        if (!available(registration.label)) revert NameNotAvailable(registration.label);
        useUp(makeCommitment(registration));

        uint256 expires = registration.resolver == address(0)
            ? registrar.register(tokenOf(registration.label), registration.owner, registration.duration)
            : registerWithRecords(registration);
        emit NameRegistered(
            registration.label,
            bytes32(tokenOf(registration.label)),
            registration.owner,
            price.base,
            price.premium,
            expires,
            registration.referrer
        );
        // By `transfer`, as on mainnet: a wallet that needs more than 2,300 gas to be paid cannot register.
        if (msg.value > total) payable(msg.sender).transfer(msg.value - total);
    }

    function renew(string calldata label, uint256 duration, bytes32 referrer) external payable {
        uint256 cost = rentPrice(label, duration).base;
        if (msg.value < cost) revert InsufficientValue();
        uint256 expires = registrar.renew(tokenOf(label), duration);
        emit NameRenewed(label, bytes32(tokenOf(label)), cost, expires, referrer);
        if (msg.value > cost) payable(msg.sender).transfer(msg.value - cost);
    }

    function useUp(bytes32 commitment) private {
        uint256 made = commitments[commitment];
        if (made + minCommitmentAge > block.timestamp) {
            revert CommitmentTooNew(commitment, made + minCommitmentAge, block.timestamp);
        }
        if (made + maxCommitmentAge <= block.timestamp) {
            if (made == 0) revert CommitmentNotFound(commitment);
            revert CommitmentTooOld(commitment, made + maxCommitmentAge, block.timestamp);
        }
        delete commitments[commitment];
    }

    /// Registers the name to the controller first, because only the owner may write its records.
    function registerWithRecords(Registration memory registration) private returns (uint256 expires) {
        uint256 token = tokenOf(registration.label);
        bytes32 node = keccak256(abi.encodePacked(ETH_NODE, token));
        expires = registrar.register(token, address(this), registration.duration);
        ens.setRecord(node, registration.owner, registration.resolver, 0);
        if (registration.data.length > 0) {
            IRecords(registration.resolver).multicallWithNodeCheck(node, registration.data);
        }
        registrar.transferFrom(address(this), registration.owner, token);
        string memory name = string.concat(registration.label, ".eth");
        if (registration.reverseRecord & ON_ETHEREUM != 0) {
            reverseRegistrar.setNameForAddr(msg.sender, msg.sender, registration.resolver, name);
        }
        if (registration.reverseRecord & ON_ALL_CHAINS != 0) {
            defaultReverseRegistrar.setNameForAddr(msg.sender, name);
        }
    }

    function tokenOf(string memory label) private pure returns (uint256) {
        return uint256(keccak256(bytes(label)));
    }
}

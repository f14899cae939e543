// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./Interfaces.sol";

interface IExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

interface IResolver {
    function multicall(bytes[] calldata data) external view returns (bytes[] memory);
    function supportsInterface(bytes4 id) external view returns (bool);
    function addr(bytes32 node) external view returns (address);
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory);
    function name(bytes32 node) external view returns (string memory);
}

interface IBatchGateway {
    struct Request {
        address sender;
        string[] urls;
        bytes data;
    }

    function query(Request[] calldata requests)
        external
        view
        returns (bool[] memory failures, bytes[] memory responses);
}

/// Replaces ENS's Universal Resolver: finds the resolver of a name and calls it, in one call. Written for the sandbox:
/// off-chain lookups are announced as on mainnet, but their callback is not implemented.
contract UniversalResolver {
    error DNSDecodingFailed(bytes dns);
    error DNSEncodingFailed(string ens);
    error EmptyAddress();
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverError(bytes errorData);
    error ResolverNotContract(bytes name, address resolver);
    error ResolverNotFound(bytes name);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error UnsupportedResolverProfile(bytes4 selector);

    uint256 private constant ETHEREUM = 60;
    IRegistry public immutable registry;

    constructor(IRegistry registry_) {
        registry = registry_;
    }

    /// The resolver of the name or of its nearest parent, and the offset in the name where it was found.
    function findResolver(bytes memory name) public view returns (address resolver, bytes32 node, uint256 offset) {
        return findFrom(name, 0);
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        return answer(name, data, ownGateways());
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        return answer(name, data, gateways);
    }

    function reverse(bytes calldata lookupAddress, uint256 coinType)
        external
        view
        returns (string memory, address, address)
    {
        return primaryName(lookupAddress, coinType, ownGateways());
    }

    function reverseWithGateways(bytes calldata lookupAddress, uint256 coinType, string[] calldata gateways)
        external
        view
        returns (string memory, address, address)
    {
        return primaryName(lookupAddress, coinType, gateways);
    }

    function resolveCallback(bytes calldata, bytes calldata) external pure {
        revert("answers from elsewhere are not taken in here");
    }

    function answer(bytes memory name, bytes memory data, string[] memory gateways)
        private
        view
        returns (bytes memory, address)
    {
        (address resolver, bool extended) = requireResolver(name);
        bool several = bytes4(data) == IResolver.multicall.selector;
        bytes[] memory answers = askAll(resolver, extended, name, several ? listOf(data) : only(data), gateways);
        if (several) return (abi.encode(answers), resolver);
        // The length of a result is a multiple of 32; an error has 4 more bytes, its selector.
        bytes memory first = answers[0];
        if (first.length % 32 != 4) return (first, resolver);
        if (bytes4(first) != UnsupportedResolverProfile.selector) revert ResolverError(first);
        revert UnsupportedResolverProfile(bytes4(data));
    }

    function requireResolver(bytes memory name) private view returns (address resolver, bool extended) {
        uint256 offset;
        (resolver,, offset) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
        (bool ok, bytes memory said) = resolver.staticcall(
            abi.encodeCall(IResolver.supportsInterface, (type(IExtendedResolver).interfaceId))
        );
        extended = ok && said.length == 32 && abi.decode(said, (uint256)) == 1;
        // The resolver of a parent is used only if it is an extended resolver (ENSIP-10).
        if (offset != 0 && !extended) revert ResolverNotFound(name);
    }

    function askAll(
        address resolver,
        bool extended,
        bytes memory name,
        bytes[] memory questions,
        string[] memory gateways
    ) private view returns (bytes[] memory answers) {
        answers = new bytes[](questions.length);
        IBatchGateway.Request[] memory elsewhere = new IBatchGateway.Request[](questions.length);
        uint256 count;
        for (uint256 i = 0; i < questions.length; i++) {
            bytes memory question = questions[i];
            (bool ok, bytes memory said) =
                resolver.staticcall(extended ? abi.encodeCall(IExtendedResolver.resolve, (name, question)) : question);
            if (!ok && bytes4(said) == OffchainLookup.selector) {
                elsewhere[count++] = requestOf(said);
            } else if (said.length == 0) {
                answers[i] = abi.encodeWithSelector(UnsupportedResolverProfile.selector, bytes4(question));
            } else {
                answers[i] = ok && extended ? abi.decode(said, (bytes)) : said;
            }
        }
        if (count == 0) return answers;
        assembly ("memory-safe") {
            mstore(elsewhere, count)
        }
        bytes memory query = abi.encodeCall(IBatchGateway.query, (elsewhere));
        revert OffchainLookup(address(this), gateways, query, this.resolveCallback.selector, name);
    }

    function primaryName(bytes memory lookupAddress, uint256 coinType, string[] memory gateways)
        private
        view
        returns (string memory primary, address resolver, address reverseResolver)
    {
        if (lookupAddress.length == 0) revert EmptyAddress();
        bytes memory reverseName = abi.encodePacked(
            uint8(lookupAddress.length * 2), hexOf(lookupAddress), hex"046164647207", "reverse", hex"00"
        );
        (, bytes32 node,) = findResolver(reverseName);
        bytes memory said;
        (said, reverseResolver) = answer(reverseName, abi.encodeCall(IResolver.name, (node)), gateways);
        primary = abi.decode(said, (string));
        if (bytes(primary).length == 0) return ("", address(0), reverseResolver);

        bytes memory name = dnsEncoded(primary);
        (, node,) = findResolver(name);
        bytes memory held;
        if (coinType == ETHEREUM) {
            (said, resolver) = answer(name, abi.encodeWithSignature("addr(bytes32)", node), gateways);
            held = abi.encodePacked(abi.decode(said, (address)));
        } else {
            (said, resolver) = answer(name, abi.encodeWithSignature("addr(bytes32,uint256)", node, coinType), gateways);
            held = abi.decode(said, (bytes));
        }
        // Any address can claim any name, so the name must point back.
        if (keccak256(held) != keccak256(lookupAddress)) revert ReverseAddressMismatch(primary, held);
    }

    function findFrom(bytes memory name, uint256 at)
        private
        view
        returns (address resolver, bytes32 node, uint256 offset)
    {
        if (at >= name.length) revert DNSDecodingFailed(name);
        uint256 size = uint8(name[at]);
        if (size == 0) {
            if (at + 1 != name.length) revert DNSDecodingFailed(name);
            return (registry.resolver(0), 0, at);
        }
        if (at + 1 + size > name.length) revert DNSDecodingFailed(name);
        bytes32 label;
        assembly ("memory-safe") {
            label := keccak256(add(add(name, 33), at), size)
        }
        (resolver, node, offset) = findFrom(name, at + 1 + size);
        node = keccak256(abi.encodePacked(node, label));
        address own = registry.resolver(node);
        if (own != address(0)) (resolver, offset) = (own, at);
    }

    function dnsEncoded(string memory text) private pure returns (bytes memory name) {
        bytes memory utf8 = bytes(text);
        name = new bytes(utf8.length + 2);
        uint256 labelAt = 0;
        for (uint256 i = 0; i <= utf8.length; i++) {
            if (i < utf8.length && utf8[i] != ".") {
                name[i + 1] = utf8[i];
                continue;
            }
            uint256 size = i - labelAt;
            if (size == 0 || size > 255) revert DNSEncodingFailed(text);
            name[labelAt] = bytes1(uint8(size));
            labelAt = i + 1;
        }
    }

    function hexOf(bytes memory data) private pure returns (bytes memory text) {
        bytes16 digits = "0123456789abcdef";
        text = new bytes(data.length * 2);
        for (uint256 i = 0; i < data.length; i++) {
            text[2 * i] = digits[uint8(data[i]) >> 4];
            text[2 * i + 1] = digits[uint8(data[i]) & 15];
        }
    }

    function ownGateways() private pure returns (string[] memory gateways) {
        gateways = new string[](1);
        gateways[0] = "x-batch-gateway:true";
    }

    function requestOf(bytes memory lookup) private pure returns (IBatchGateway.Request memory request) {
        (request.sender, request.urls, request.data,,) =
            abi.decode(withoutSelector(lookup), (address, string[], bytes, bytes4, bytes));
    }

    function listOf(bytes memory multicall) private pure returns (bytes[] memory) {
        return abi.decode(withoutSelector(multicall), (bytes[]));
    }

    function only(bytes memory data) private pure returns (bytes[] memory list) {
        list = new bytes[](1);
        list[0] = data;
    }

    function withoutSelector(bytes memory data) private pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        for (uint256 i = 0; i < rest.length; i++) rest[i] = data[i + 4];
    }
}

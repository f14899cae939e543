/** ABIs of the ENS functions and errors that this service calls, decodes or explains. */
import { parseAbi } from '../../kernel/ethereum/abi.ts'

const shared = [
  'function commit(bytes32 commitment)',
  'function commitments(bytes32 commitment) view returns (uint256)',
  'function available(string label) view returns (bool)',
  'function rentPrice(string label, uint256 duration) view returns ((uint256 base, uint256 premium) price)',
  'function minCommitmentAge() view returns (uint256)',
  'function maxCommitmentAge() view returns (uint256)',
  'function prices() view returns (address)',
  'error DurationTooShort(uint256 duration)',
  'error InsufficientValue()',
  'error MaxCommitmentAgeTooHigh()',
  'error MaxCommitmentAgeTooLow()',
  'error NameNotAvailable(string name)',
  'error ResolverRequiredWhenDataSupplied()',
  'error UnexpiredCommitmentExists(bytes32 commitment)',
] as const

export const controller2025Abi = parseAbi([
  ...shared,
  'struct Registration { string label; address owner; uint256 duration; bytes32 secret; address resolver; bytes[] data; uint8 reverseRecord; bytes32 referrer; }',
  'function makeCommitment(Registration registration) pure returns (bytes32 commitment)',
  'function register(Registration registration) payable',
  'function renew(string label, uint256 duration, bytes32 referrer) payable',
  'error CommitmentNotFound(bytes32 commitment)',
  'error CommitmentTooNew(bytes32 commitment, uint256 minimumCommitmentTimestamp, uint256 currentTimestamp)',
  'error CommitmentTooOld(bytes32 commitment, uint256 maximumCommitmentTimestamp, uint256 currentTimestamp)',
  'error ResolverRequiredForReverseRecord()',
])

export const controller2023Abi = parseAbi([
  ...shared,
  'function makeCommitment(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 ownerControlledFuses) pure returns (bytes32)',
  'function register(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 ownerControlledFuses) payable',
  'function renew(string name, uint256 duration) payable',
  'error CommitmentTooNew(bytes32 commitment)',
  'error CommitmentTooOld(bytes32 commitment)',
])

export const registryAbi = parseAbi([
  'function owner(bytes32 node) view returns (address)',
  'function resolver(bytes32 node) view returns (address)',
])

export const registrarAbi = parseAbi([
  'function nameExpires(uint256 id) view returns (uint256)',
  'function ownerOf(uint256 id) view returns (address)',
  'function available(uint256 id) view returns (bool)',
  'function controllers(address controller) view returns (bool)',
])

export const wrapperAbi = parseAbi([
  'function ownerOf(uint256 id) view returns (address owner)',
  'function getData(uint256 id) view returns (address owner, uint32 fuses, uint64 expiry)',
  'error CannotUpgrade()',
  'error IncompatibleParent()',
  'error IncorrectTargetOwner(address owner)',
  'error IncorrectTokenType()',
  'error LabelMismatch(bytes32 labelHash, bytes32 expectedLabelhash)',
  'error LabelTooLong(string label)',
  'error LabelTooShort()',
  'error NameIsNotWrapped()',
  'error OperationProhibited(bytes32 node)',
  'error Unauthorised(bytes32 node, address addr)',
])

export const resolverAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function contenthash(bytes32 node) view returns (bytes)',
  'function setAddr(bytes32 node, address a)',
  'function setAddr(bytes32 node, uint256 coinType, bytes a)',
  'function setText(bytes32 node, string key, string value)',
  'function setContenthash(bytes32 node, bytes hash)',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'error InvalidEVMAddress(bytes addressBytes)',
])

export const universalResolverAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes result, address resolver)',
  'error DNSDecodingFailed(bytes dns)',
  'error DNSEncodingFailed(string ens)',
  'error EmptyAddress()',
  'error HttpError(uint16 status, string message)',
  'error InvalidBatchGatewayResponse()',
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
  'error OffsetOutOfBoundsError(uint256 offset, uint256 length)',
  'error ResolverError(bytes errorData)',
  'error ResolverNotContract(bytes name, address resolver)',
  'error ResolverNotFound(bytes name)',
  'error ReverseAddressMismatch(string primary, bytes primaryAddress)',
  'error UnsupportedResolverProfile(bytes4 selector)',
])

/** The controller's price oracle, and the ETH/USD feed it uses (8 decimals). */
export const priceOracleAbi = parseAbi(['function usdOracle() view returns (address)'])
export const priceFeedAbi = parseAbi(['function latestAnswer() view returns (int256)'])

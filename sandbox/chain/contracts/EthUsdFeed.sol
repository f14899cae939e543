// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// US dollars per ether, with the interface of Chainlink's feeds. Its timestamp is that of the block; anyone may set it.
contract EthUsdFeed {
    uint8 public constant decimals = 8;
    string public constant description = "ETH / USD";
    int256 public latestAnswer;

    constructor(int256 answer) {
        latestAnswer = answer;
    }

    function setAnswer(int256 answer) external {
        latestAnswer = answer;
    }

    function latestTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return (1, latestAnswer, block.timestamp, block.timestamp, 1);
    }
}

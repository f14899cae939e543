// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./Interfaces.sol";

/// The rent of a name, and the premium of an expired one: 100 million dollars that halve every day, minus their value
/// after 21 days. Amounts are in attodollars (10^-18) until they are converted to wei.
contract PremiumPriceOracle {
    IFeed public immutable usdOracle;

    // Attodollars per second: 640, 160 and 5 dollars per year of 365 days. Shorter names cannot be registered.
    uint256 public constant price1Letter = 0;
    uint256 public constant price2Letter = 0;
    uint256 public constant price3Letter = 20294266869609;
    uint256 public constant price4Letter = 5073566717402;
    uint256 public constant price5Letter = 158548959919;

    uint256 private constant GRACE_PERIOD = 90 days;
    uint256 private constant START_PREMIUM = 100_000_000e18;
    uint256 private constant END_VALUE = START_PREMIUM >> 21;
    /// The premium changes this many times per day.
    uint256 private constant STEPS_A_DAY = 65536;

    constructor(IFeed usdOracle_) {
        usdOracle = usdOracle_;
    }

    function price(string calldata name, uint256 expires, uint256 duration) external view returns (Price memory) {
        return Price({base: toWei(rentOf(name) * duration), premium: toWei(premiumOf(expires))});
    }

    /// The premium in wei.
    function premium(string calldata, uint256 expires, uint256) external view returns (uint256) {
        return toWei(premiumOf(expires));
    }

    function decayedPremium(uint256 startPremium, uint256 elapsed) public pure returns (uint256) {
        uint256 day = elapsed / 1 days;
        if (day > 255) return 0;
        // Rounded to 18 decimals like the contract on mainnet, because a second is not a whole number of steps.
        uint256 partOfDay = (elapsed * 1e18) / 1 days - day * 1e18;
        uint256 step = (partOfDay * STEPS_A_DAY) / 1e18;
        uint256 left = startPremium >> day;
        // 0.5 to the power of 1/65536, 2/65536, 4/65536 …, each with 18 decimals.
        uint64[16] memory factors = [
            999989423469314432,
            999978847050491904,
            999957694548431104,
            999915390886613504,
            999830788931929088,
            999661606496243712,
            999323327502650752,
            998647112890970240,
            997296056085470080,
            994599423483633152,
            989228013193975424,
            978572062087700096,
            957603280698573696,
            917004043204671232,
            840896415253714560,
            707106781186547584
        ];
        for (uint256 bit = 0; bit < 16; bit++) if (step & (1 << bit) != 0) left = (left * factors[bit]) / 1e18;
        return left;
    }

    function rentOf(string calldata name) private pure returns (uint256) {
        uint256 length = countCharacters(name);
        if (length >= 5) return price5Letter;
        if (length == 4) return price4Letter;
        if (length == 3) return price3Letter;
        return length == 2 ? price2Letter : price1Letter;
    }

    function premiumOf(uint256 expires) private view returns (uint256) {
        uint256 released = expires + GRACE_PERIOD;
        if (released > block.timestamp) return 0;
        uint256 left = decayedPremium(START_PREMIUM, block.timestamp - released);
        return left > END_VALUE ? left - END_VALUE : 0;
    }

    function toWei(uint256 attodollars) private view returns (uint256) {
        return (attodollars * 1e8) / uint256(usdOracle.latestAnswer());
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The state of the shop's screen.
enum ScreenState: Sendable {
    case closed
    case opening
    case failed
    /// The state with visible products and the reason why orders are not possible yet.
    case browsing(String)
    case ordering(to: Place, CouponList?)

    var text: String {
        switch self {
        case .closed: "[Log in]"
        case .opening: "One moment, please."
        case .failed: "[Try again]"
        case .browsing(let reason): reason
        case .ordering(let place, nil): "[Order to \(place.street)]"
        case .ordering(let place, _?): "[Order to \(place.street), with coupons]"
        }
    }
}

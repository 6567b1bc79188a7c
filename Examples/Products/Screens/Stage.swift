// SPDX-License-Identifier: Apache-2.0

/// Where the shop's screen stands.
enum Stage: Sendable {
    case closed
    case opening
    case failed
    /// There is something to look at, and a reason why nothing can be ordered yet.
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

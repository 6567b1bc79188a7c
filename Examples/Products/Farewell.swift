// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Sees to it that everything is given back.
@MainActor
struct Farewell {
    private weak var shop: Shop?
    private weak var location: StatePublisher<Place>?
    private let screens: [WeakScreen]
    /// A sequence keeps no publisher, and ends with it.
    private let products: ObservationSequence<LoadState<ProductList>>
    private let coupons: ObservationSequence<LoadState<CouponList>>

    init(shop: Shop, seenOn screens: [AnyObject?]) {
        self.shop = shop
        self.screens = screens.map(WeakScreen.init)
        location = shop.location.publisher
        products = shop.products.publisher.states
        coupons = shop.coupons.publisher.states
    }

    /// Waits for the end of the resources, and says what is left.
    func report() async {
        print("\nAfter the session")
        // A load that was cancelled may still be on its way out, on another thread.
        for await _ in products {}
        print("  products  gone")
        for await _ in coupons {}
        print("  coupons   gone")
        print("  location  \(text(location))")
        print("  shop      \(text(shop))")
        print("  screens   \(screens.compactMap(\.screen).count) of \(screens.count) left")
    }

    private func text(_ object: AnyObject?) -> String {
        object == nil ? "gone" : "still there"
    }

    private struct WeakScreen {
        private(set) weak var screen: AnyObject?
        init(_ screen: AnyObject?) { self.screen = screen }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Checks that all objects of a session are released.
@MainActor
struct TeardownCheck {
    private weak var shop: Shop?
    private weak var location: StatePublisher<Place>?
    private let screens: [WeakScreen]
    /// Sequences that end with the publishers, without retaining a publisher.
    private let products: ObservationSequence<LoadState<ProductList>>
    private let coupons: ObservationSequence<LoadState<CouponList>>

    init(shop: Shop, screens: [AnyObject?]) {
        self.shop = shop
        self.screens = screens.map(WeakScreen.init)
        location = shop.location.publisher
        products = shop.products.publisher.states.values
        coupons = shop.coupons.publisher.states.values
    }

    /// Waits for the end of the resources and prints the remaining objects.
    func report() async {
        print("\nAfter the session")
        // A cancelled load may still hold the resource on another thread.
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

// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Everything that the shop loads.
@MainActor
final class Shop {
    let products: Resource<ProductList>
    let coupons: Resource<CouponList>
    let location: LocationSource

    init(
        products: Server<ProductList>,
        coupons: Server<CouponList>,
        device: PositionDevice,
        clock: HandClock
    ) {
        let fresh = ResourceOptions(staleAfter: .seconds(60))
        self.products = Resource(options: fresh, clock: clock) { try await products.request() }
        // Without a duration coupons never grow old.
        self.coupons = Resource(clock: clock) { try await coupons.request() }
        location = LocationSource(device: device)
    }

    private var sources: [any StateSource] { [products, coupons, location] }

    /// For those who follow them all.
    var publishers: [any AnyStatePublisher] {
        [products.publisher, coupons.publisher, location.publisher]
    }

    func getData() {
        for source in sources { source.getData() }
    }

    /// Loads what failed or grew old, and nothing else.
    func refreshIfNeeded() {
        for source in sources { source.refreshIfNeeded() }
    }

    func logout() {
        for source in sources { source.logout() }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsResources

/// The sources of the shop.
@MainActor
final class Shop {
    let products: ServerSource<ProductList>
    let coupons: ServerSource<CouponList>
    let location: LocationSource

    init(
        products: Server<ProductList>,
        coupons: Server<CouponList>,
        device: PositionDevice,
        clock: ManualClock
    ) {
        self.products = ServerSource(products, staleAfter: .seconds(60), clock: clock)
        // Without a duration, coupons never become stale.
        self.coupons = ServerSource(coupons, clock: clock)
        location = LocationSource(device: device)
    }

    private var sources: [any StateSource] { [products, coupons, location] }

    /// All publishers, for subscribers of all sources.
    var publishers: [any AnyStatePublisher] {
        [products.publisher, coupons.publisher, location.publisher]
    }

    func getData() {
        for source in sources { source.getData() }
    }

    /// Loads only sources that have failed or are stale.
    func refreshIfNeeded() {
        for source in sources { source.refreshIfNeeded() }
    }

    func logout() {
        for source in sources { source.logout() }
    }
}

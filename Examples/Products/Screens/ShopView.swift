// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The content of the screen as a value, which converts states to text.
///
/// The view does not depend on publishers, so a test can set the states and read the lines.
struct ShopView: Sendable {
    var products = LoadState<ProductList>.unknown
    /// The last products, because the error state carries no data.
    var lastProducts: ProductList?
    var coupons = LoadState<CouponList>.unknown
    var location = LoadState<Place>.unknown

    /// The state of the screen, which depends on the states of all three publishers.
    ///
    /// The switch has no `default`, so the compiler reports a missing combination.
    var state: ScreenState {
        switch (products, location, coupons) {
        case (.unknown, _, _): .closed
        case (.loading(nil), _, _): .opening
        case (.error, _, _): .failed
        case (.loading(_?), _, _): .browsing("Loading prices")
        case (.loaded, .loading, _): .browsing("Finding your location")
        case (.loaded, .unknown, _), (.loaded, .error, _): .browsing("Where are you?")
        case (.loaded, .loaded(let place), .loaded(let coupons)): .ordering(to: place, coupons)
        case (.loaded, .loaded(let place), .loading(let coupons)): .ordering(to: place, coupons)
        case (.loaded, .loaded(let place), .unknown), (.loaded, .loaded(let place), .error):
            .ordering(to: place, nil)
        }
    }

    var lines: [String] {
        [
            "products  \(productsText)", "coupons   \(couponsText)", "location  \(locationText)",
            "          \(state.text)",
        ]
    }

    private var productsText: String {
        switch products {
        case .unknown: "-"
        case .loading(nil): "…"
        case .loading(let previous?): "\(text(previous)) …"
        case .loaded(let products): text(products)
        case .error: lastProducts.map { "\(text($0)) (old)" } ?? "none"
        }
    }

    private var couponsText: String {
        switch coupons {
        case .unknown: "-"
        case .loading(nil): "…"
        case .loading(let previous?): "\(text(previous)) …"
        case .loaded(let coupons): text(coupons)
        case .error: "none today"
        }
    }

    private var locationText: String {
        switch location {
        case .unknown: "-"
        case .loading(nil): "…"
        case .loading(let previous?): "\(previous.street) …"
        case .loaded(let place): place.street
        case .error: "unknown"
        }
    }

    private func text(_ products: ProductList) -> String {
        products.items.map { "\($0.name) \($0.price)" }.joined(separator: ", ")
    }

    private func text(_ coupons: CouponList) -> String {
        coupons.items.map { "\($0.price) off \($0.name)" }.joined(separator: ", ")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What the screen shows, as a value: states go in, text comes out.
///
/// It knows no publisher, so a test gives it states and reads what a person would.
struct ShopView: Sendable {
    var products = LoadState<ProductList>.unknown
    /// What there was before a failure, which carries no data.
    var lastProducts: ProductList?
    var coupons = LoadState<CouponList>.unknown
    var location = LoadState<Place>.unknown

    /// Where the screen stands, which follows from what three publishers know together.
    ///
    /// There is no `default`: who forgets a combination is told by the compiler.
    var stage: Stage {
        switch (products, location, coupons) {
        case (.unknown, _, _): .closed
        case (.loading(nil), _, _): .opening
        case (.error, _, _): .failed
        case (.loading(_?), _, _): .browsing("Prices are being looked up")
        case (.loaded, .loading, _): .browsing("You are being looked for")
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
            "          \(stage.text)",
        ]
    }

    private var productsText: String {
        switch products {
        case .unknown: "-"
        case .loading(nil): "…"
        case .loading(let previous?): "\(text(previous)) …"
        case .loaded(let products): text(products)
        case .error: lastProducts.map { "\(text($0)), or so" } ?? "none can be shown"
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
        case .error: "nowhere"
        }
    }

    private func text(_ products: ProductList) -> String {
        products.items.map { "\($0.name) \($0.price)" }.joined(separator: ", ")
    }

    private func text(_ coupons: CouponList) -> String {
        coupons.items.map { "\($0.price) off \($0.name)" }.joined(separator: ", ")
    }
}

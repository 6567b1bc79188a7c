// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct SubjectFilterTests {
    @Test(arguments: [
        ("shop.orders.*", "shop.orders.eu", true),
        ("shop.orders.*", "shop.orders", false),
        ("shop.orders.*", "shop.orders.eu.west", false),
        ("shop.>", "shop.orders.eu", true),
        ("shop.>", "shop", false),
        ("shop.>", "shopping.orders", false),
        ("*.orders.eu", "shop.orders.eu", true),
        ("shop.orders", "shop.orders", true),
        ("shop.orders", "shop.order", false),
        (">", "shop", true),
    ])
    func aPatternMatchesWholeTokens(pattern: String, subject: String, isMatch: Bool) {
        #expect(SubjectFilter(pattern).matches(subject) == isMatch)
    }

    @Test func aHeaderIsFoundInAnyCase() {
        var headers: FrameHeaders = ["tidings-id": "a:1", "Other": "x"]
        #expect(headers.id == "a:1")
        headers[.id] = "b:2"
        #expect(headers.fields.map(\.value) == ["x", "b:2"])
        headers[.id] = nil
        #expect(headers.id == nil)
    }
}

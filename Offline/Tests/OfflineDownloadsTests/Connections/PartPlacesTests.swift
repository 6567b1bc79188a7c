// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct PartPlacesTests {
    private let places = PartPlaces()

    @Test func aHostHasSixteenRequestsWithFurtherOnes() {
        for number in 0..<16 { #expect(places.enter("a", isFurther: number >= 4)) }
        #expect(!places.enter("a", isFurther: true))
        #expect(places.enter("b", isFurther: true))
        places.leave("a")
        #expect(places.enter("a", isFurther: true))
    }

    @Test func everyDownloadHasItsFirstRequests() {
        for host in 0..<12 {
            for _ in 0..<4 { #expect(places.enter("\(host)", isFurther: false)) }
        }
    }

    @Test func allHostsTogetherHaveThirtyTwoRequestsWithFurtherOnes() {
        for host in 0..<8 {
            for _ in 0..<4 { #expect(places.enter("\(host)", isFurther: false)) }
        }
        #expect(!places.enter("0", isFurther: true))
        #expect(!places.enter("9", isFurther: true))
        for _ in 0..<4 { places.leave("3") }
        #expect(places.enter("9", isFurther: true))
    }
}

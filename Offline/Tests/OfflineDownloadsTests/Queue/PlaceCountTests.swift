// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct PlaceCountTests {
    /// Measures a line for some seconds and returns the count after each second.
    private func counts(
        of places: inout PlaceCount,
        seconds: Int,
        items: Int = .max,
        perItem: Double,
        line: Double = .infinity
    ) -> [Int] {
        (0..<seconds).map { _ in
            let running = min(items, places.count)
            places.measure(min(line, Double(running) * perItem), isFull: items > places.count)
            return places.count
        }
    }

    @Test func serversThatLimitEachConnectionGetAllPlacesWithinSeconds() {
        var places = PlaceCount()
        let counts = counts(of: &places, seconds: 8, perItem: 8e6)
        #expect(counts.first == 3)
        #expect(counts.last == 16)
        #expect(counts == counts.sorted())
    }

    @Test func aFullLineKeepsTheFewestPlaces() {
        var places = PlaceCount()
        let counts = counts(of: &places, seconds: 120, perItem: 50e6, line: 100e6)
        #expect(counts.last == 3)
        // Each trial lasts two seconds, and the pauses between trials become longer.
        #expect(counts.count { $0 > 3 } <= 3 * 2)
    }

    @Test func aLineThatSuffersFromMoreItemsGoesBack() {
        var places = PlaceCount()
        for _ in 0..<20 { places.measure(places.count > 3 ? 1e6 : 9e6, isFull: true) }
        #expect(places.count == 3)
    }

    @Test func growthStopsAtTheCountThatTheLineUses() {
        var places = PlaceCount()
        let counts = counts(of: &places, seconds: 30, perItem: 8e6, line: 48e6)
        #expect(counts.last == 6)
    }

    @Test func unusedPlacesShowNothing() {
        var places = PlaceCount()
        let counts = counts(of: &places, seconds: 60, items: 3, perItem: 8e6)
        #expect(counts.allSatisfy { $0 == 3 })
    }

    @Test func silentServersGetNoFurtherPlaces() {
        var places = PlaceCount()
        let counts = counts(of: &places, seconds: 60, perItem: 0)
        #expect(counts.allSatisfy { $0 == 3 })
    }

    @Test func aFixedCountStays() {
        var places = PlaceCount(5...5)
        let counts = counts(of: &places, seconds: 60, perItem: 8e6)
        #expect(counts.allSatisfy { $0 == 5 })
    }
}

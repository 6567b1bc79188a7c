// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct BreadcrumbRingTests {
    private func crumb(_ number: Int) -> Breadcrumb {
        Breadcrumb(
            date: Date(timeIntervalSince1970: 0),
            category: "log",
            text: "\(number)",
            location: nil
        )
    }

    @Test func theNewestHundredBreadcrumbsStayInOrder() {
        var ring = BreadcrumbRing()
        for number in 0..<257 {
            var added = crumb(number)
            let isFull = ring.append(&added)
            #expect(isFull == (number >= 100))
            // A full ring returns the dropped breadcrumb.
            #expect(added.text == "\(isFull ? number - 100 : number)")
        }
        #expect(ring.inOrder.map(\.text) == (157..<257).map { "\($0)" })
    }

    @Test func aCopyKeepsItsBreadcrumbsWhileTheRingGoesOn() {
        var ring = BreadcrumbRing()
        for number in 0..<150 {
            var added = crumb(number)
            ring.append(&added)
        }
        let copy = ring
        var added = crumb(150)
        ring.append(&added)
        #expect(copy.inOrder.map(\.text) == (50..<150).map { "\($0)" })
        #expect(ring.inOrder.map(\.text) == (51..<151).map { "\($0)" })
    }
}

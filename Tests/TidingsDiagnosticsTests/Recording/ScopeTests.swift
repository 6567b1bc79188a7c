// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct ScopeTests {
    private func crumb(_ number: Int) -> Breadcrumb {
        Breadcrumb(
            date: Date(timeIntervalSince1970: 0),
            category: "log",
            text: "\(number)",
            location: nil
        )
    }

    @Test func theNewestHundredBreadcrumbsStayInOrder() {
        var scope = Scope()
        for number in 0..<257 {
            var added = crumb(number)
            let isFull = scope.append(&added)
            #expect(isFull == (number >= 100))
            // The dropped one.
            #expect(added.text == "\(isFull ? number - 100 : number)")
        }
        #expect(scope.breadcrumbs.map(\.text) == (157..<257).map { "\($0)" })
    }

    @Test func aKeyBeyondTheLimitIsCountedAndLeavesTheOthers() {
        var scope = Scope()
        for number in 0..<64 { _ = scope.set(.integer(number), for: "\(number)") }
        let isTaken = scope.set(1, for: "one more")
        #expect(!isTaken)
        _ = scope.set(99, for: "7")
        #expect(scope.values.count == 64)
        #expect(scope.values["7"] == 99)
        #expect(scope.refusedValues == 1)
        _ = scope.set(nil, for: "7")
        let isTakenNow = scope.set(1, for: "one more")
        #expect(isTakenNow)
        #expect(scope.values["one more"] == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ScopeTests {
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

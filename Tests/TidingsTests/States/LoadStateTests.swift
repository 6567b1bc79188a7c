// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@Suite(.timeLimit(.minutes(15)))
struct LoadStateTests {
    private struct First: Error {
        var number = 1
    }

    private struct Second: Error, CustomStringConvertible {
        let description = "First(number: 1)"
    }

    private static let states: [LoadState<Int>] = [
        .unknown, .loading(nil), .loading(1), .loaded(1), .error(First()),
    ]

    @Test func onlyLoadingIsLoading() {
        #expect(Self.states.map(\.isLoading) == [false, true, true, false, false])
    }

    @Test func theValueIsWhatTheStateCarries() {
        #expect(Self.states.map(\.value) == [nil, nil, 1, 1, nil])
    }

    @Test func mappingKeepsTheCaseAndTheError() {
        let texts: [LoadState<String>] = Self.states.map { $0.map { "\($0 + 1)" } }
        #expect(texts == [.unknown, .loading(nil), .loading("2"), .loaded("2"), .error(First())])
    }

    @Test func mappingThrowsTheErrorOfItsClosure() {
        func fail(_ value: Int) throws(First) -> Int { throw First(number: value) }
        let error = #expect(throws: First.self) { try LoadState.loaded(7).map(fail) }
        #expect(error?.number == 7)
        #expect(throws: First.self) { try LoadState.loading(8).map(fail) }
        #expect(throws: Never.self) { try LoadState.error(First()).map(fail) }
    }

    @Test func aStateEqualsOnlyItself() {
        for (index, left) in Self.states.enumerated() {
            for (other, right) in Self.states.enumerated() {
                #expect((left == right) == (index == other), "\(left), \(right)")
            }
        }
        #expect(LoadState.loaded(1) != .loaded(2))
        #expect(LoadState.loading(1) != .loading(2))
    }

    @Test func errorsAreEqualByTypeAndText() {
        let first = LoadState<Int>.error(First())
        #expect(first == .error(First(number: 1)))
        #expect(first != .error(First(number: 2)))
        #expect("\(First())" == "\(Second())")
        #expect(first != .error(Second()))
    }
}

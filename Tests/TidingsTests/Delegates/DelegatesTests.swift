// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

private protocol Listener: AnyObject, Sendable {
    func heard(_ number: Int)
}

private final class Recorder: Listener {
    let log: Log<String>
    let name: String

    init(_ name: String, _ log: Log<String>) {
        self.name = name
        self.log = log
    }

    func heard(_ number: Int) { log("\(name)\(number)") }
}

@Suite(.timeLimit(.minutes(1)))
struct DelegatesTests {
    private let delegates = Delegates<any Listener>()
    private let log = Log<String>()

    @Test func notifiesEachDelegate() throws {
        let (a, b) = (Recorder("a", log), Recorder("b", log))
        try delegates.add(a)
        try delegates.add(b)
        #expect(delegates.notify { $0.heard(1) } == 2)
        #expect(log.all == ["a1", "b1"])
    }
}

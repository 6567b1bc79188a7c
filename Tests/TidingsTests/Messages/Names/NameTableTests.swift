// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

private struct Named: NamedMessage {
    static let name = "A"
    var object: (any Sendable)? { nil }

    init() {}
    init?(object: (any Sendable)?) {}
}

@Suite(.timeLimit(.minutes(15)))
struct NameTableTests {
    private var table = NameTable()

    private func add(_ channel: Channel, to table: inout NameTable) {
        table.add(.init(type: Named.self, channel: channel), named: "A")
    }

    @Test mutating func aNameHasOneChannel() {
        let channel = table.enter("A") { Channel(name: "A") }
        #expect(table.enter("A") { Channel(name: "A") } === channel)
        #expect(table.enter("B") { Channel(name: "B") } !== channel)
        #expect(table["A"]?.channel === channel)
        #expect(table["C"] == nil)
    }

    @Test mutating func aNameThatIsAboutToBeObservedIsKept() {
        _ = table.enter("A") { Channel(name: "A") }
        _ = table.enter("A") { Channel(name: "A") }
        table.leave("A")
        #expect(table.removeIdle().isEmpty)
        table.leave("A")
        #expect(table.removeIdle().count == 1)
        #expect(table["A"] == nil)
    }

    @Test mutating func aNameThatIsObservedIsKept() {
        let channel = table.enter("A") { Channel(name: "A") }
        table.leave("A")
        let source = SourceLocation(fileID: #fileID, line: #line)
        let settings = RegistrationSettings(home: channel, source: source)
        let registration = ClosureRegistration<UntypedMessage>(settings) { _ in }
        channel.insert(registration)
        #expect(table.removeIdle().isEmpty)
        registration.cancel()
        #expect(table.removeIdle().count == 1)
    }

    @Test mutating func aNameOfATypeIsKept() {
        add(Channel(name: "A"), to: &table)
        #expect(table.removeIdle().isEmpty)
        #expect(table.channels.isEmpty)
    }

    @Test mutating func aChannelThatIsAloneIsDirectAndOneThatSharesItsNameIsNot() {
        let (first, second) = (Channel(name: "A"), Channel(name: "A"))
        add(first, to: &table)
        #expect(first.isDirect)
        let name = table.enter("A") { Channel(name: "A") }
        #expect(first.slowPathReasons == .full(1))
        #expect(name.slowPathReasons == .full(1))
        add(second, to: &table)
        #expect(
            [first, second, name].map(\.slowPathReasons) == Array(repeating: .full(1), count: 3)
        )
    }

    @Test mutating func theTableIsCrowdedOnceItHasTwiceTheNamesThatWereLeft() {
        for number in 0..<64 {
            _ = table.enter("\(number)") { Channel() }
            if number.isMultiple(of: 2) { table.leave("\(number)") }
        }
        #expect(!table.isCrowded)
        _ = table.enter("last") { Channel() }
        #expect(table.isCrowded)
        #expect(table.removeIdle().count == 32)
        #expect(table.count == 33)
        #expect(!table.isCrowded)
    }
}

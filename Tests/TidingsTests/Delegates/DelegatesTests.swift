// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

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

@MainActor private protocol Screen: AnyObject, Sendable {
    func show(_ number: Int)
}

@MainActor private final class ListScreen: Screen {
    let log: Log<String>
    let name: String
    var shown: (Int) -> Void = { _ in }

    init(_ log: Log<String>, _ name: String = "") {
        self.log = log
        self.name = name
    }

    func show(_ number: Int) {
        log("\(name)\(number)")
        shown(number)
    }
}

private protocol Greeter: Sendable {}
private struct GreeterValue: Greeter {}
private enum GreeterCase: Greeter { case one }
private final class GreeterObject: Greeter {}

@Suite(.timeLimit(.minutes(15)))
struct DelegatesTests {
    private let delegates = Delegates<any Listener>()
    private let log = Log<String>()

    @Test func m19_delegatesAreNotifiedInOrderOfRegistration() throws {
        let recorders = (0..<20).map { Recorder("\($0)-", log) }
        for recorder in recorders { try delegates.add(recorder) }
        try delegates.add(recorders[0])
        delegates.remove(recorders[7])
        try delegates.add(recorders[7])
        #expect(delegates.notify { $0.heard(1) } == 20)
        let order = [Array(0..<7), Array(8..<20), [7]].joined()
        #expect(log.all == order.map { "\($0)-1" })
        withExtendedLifetime(recorders) {}
    }

    @Test func m19_addingOneObjectTwiceIsOneRegistration() throws {
        let recorder = Recorder("a", log)
        try delegates.add(recorder)
        try delegates.add(recorder)
        #expect(delegates.count == 1)
        #expect(delegates.notify { $0.heard(1) } == 1)
        #expect(log.all == ["a1"])
        delegates.remove(recorder)
        #expect(!delegates.contains(recorder))
        #expect(delegates.notify { $0.heard(2) } == 0)
    }

    @Test func m19_registrationHasTakenEffectWhenAddReturns() throws {
        let (a, b) = (Recorder("a", log), Recorder("b", log))
        try delegates.add(a)
        var isFirst = true
        delegates.notify { [delegates] listener in
            listener.heard(1)
            if isFirst {
                isFirst = false
                try? delegates.add(b)
                delegates.notify { $0.heard(2) }
            }
        }
        #expect(log.all == ["a1", "a2", "b2"])
    }

    @Test func m19_aDeadDelegateIsSweptAndNeverCalled() throws {
        let alive = Recorder("a", log)
        try delegates.add(alive)
        for _ in 0..<1_000 {
            let dying = Recorder("dead", log)
            try delegates.add(dying)
            #expect(delegates.count == 2)
        }
        #expect(delegates.count == 1)
        #expect(delegates.notify { $0.heard(1) } == 1)
        #expect(log.all == ["a1"])
    }

    @Test func m19_anObjectAtTheAddressOfADeadOneIsAnother() throws {
        var addresses: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<1_000 {
            let recorder = Recorder("a", log)
            if !addresses.insert(ObjectIdentifier(recorder)).inserted { reused += 1 }
            #expect(!delegates.contains(recorder))
            try delegates.add(recorder)
            #expect(delegates.contains(recorder))
        }
        #expect(reused > 0)
    }

    @Test func aDelegateRemovedDuringNotifyIsNotCalled() throws {
        let (a, b) = (Recorder("a", log), Recorder("b", log))
        try delegates.add(a)
        try delegates.add(b)
        delegates.notify { [delegates] listener in
            listener.heard(1)
            delegates.remove(b)
        }
        #expect(log.all == ["a1"])
    }

    @Test func m9_noLockIsHeldWhileADelegateIsNotified() throws {
        let recorder = Recorder("a", log)
        try delegates.add(recorder)
        delegates.notify { [delegates, log] _ in
            let isFree = finishesOnAnotherThread {
                delegates.remove(recorder)
                _ = delegates.count
            }
            log(isFree ? "free" : "locked")
        }
        #expect(log.all == ["free"])
    }

    @Test func aValueThatIsNoObjectIsRefusedWithAnErrorThatSaysSo() throws {
        let greeters = Delegates<any Greeter>()
        for value in [GreeterValue(), GreeterCase.one] as [any Greeter] {
            let error = #expect(throws: TidingsError.self) { try greeters.add(value) }
            #expect(error?.code == .notAnObject)
            #expect(error?.message.contains("is not a class") == true)
            #expect(error?.location.hasPrefix("TidingsTests/DelegatesTests.swift:") == true)
            #expect(!greeters.contains(value))
        }
        let object = GreeterObject()
        try greeters.add(object)
        #expect(greeters.count == 1)
        withExtendedLifetime(object) {}
    }

    @MainActor @Test func screensAreNotifiedOnTheMainActorInOrder() throws {
        let screens = Delegates<any Screen>()
        let screen = ListScreen(log)
        try screens.add(screen)
        let isDone = finishesOnAnotherThread {
            screens.notify(on: .main) { $0.show(1) }
            screens.notify(on: .main) { $0.show(2) }
        }
        #expect(isDone)
        #expect(log.all.isEmpty)
        #expect(screens.notify(on: .main) { $0.show(3) } == 1)
        #expect(log.all == ["1", "2", "3"])
    }

    @MainActor @Test func aNotifyInsideAScreenLeavesWhatWaitsInItsOrder() throws {
        let screens = Delegates<any Screen>()
        let (first, second) = (ListScreen(log, "a"), ListScreen(log, "b"))
        first.shown = { [screens] number in
            if number == 1 { screens.notify(on: .main) { $0.show(9) } }
        }
        try screens.add(first)
        try screens.add(second)
        let isDone = finishesOnAnotherThread {
            screens.notify(on: .main) { $0.show(1) }
            screens.notify(on: .main) { $0.show(2) }
        }
        #expect(isDone)
        screens.notify(on: .main) { $0.show(3) }
        #expect(log.all == ["a1", "a9", "b9", "b1", "a2", "b2", "a3", "b3"])
    }
}

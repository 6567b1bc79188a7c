// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

private protocol DownloadObserver: AnyObject, Sendable {
    func downloadCompleted(_ name: String)
}

@MainActor private protocol DownloadScreen: AnyObject, Sendable {
    func show(_ name: String)
}

private enum Here {
    protocol Listener: AnyObject, Sendable { func heard() }
}
private enum There {
    protocol Listener: AnyObject, Sendable { func heard() }
}

private final class Recorder: DownloadObserver, Here.Listener, There.Listener {
    let name: String
    let log: Log<String>

    init(_ name: String, _ log: Log<String>) {
        self.name = name
        self.log = log
    }

    func downloadCompleted(_ file: String) { log("\(name):\(file)") }
    func heard() { log("\(name) heard") }
}

@MainActor private final class Screen: DownloadScreen {
    let log: Log<String>
    init(_ log: Log<String>) { self.log = log }
    func show(_ name: String) { log(name) }
}

private struct Value: Sendable, CustomStringConvertible { let description = "value" }

@Suite(.timeLimit(.minutes(15)))
struct RegisteredObserverTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @Test func originB6_allThatAreRegisteredForAProtocolAreNotified() throws {
        let observers = (0..<20).map { Recorder("\($0)", log) }
        for observer in observers {
            try center.register((any DownloadObserver).self, observer: observer)
        }
        let count = center.notify((any DownloadObserver).self) { $0.downloadCompleted("a") }
        #expect(count == 20)
        #expect(log.all == (0..<20).map { "\($0):a" })
        withExtendedLifetime(observers) {}
    }

    @Test func m19_registeringOneObjectTwiceIsOneRegistrationInItsPlace() throws {
        let (a, b) = (Recorder("a", log), Recorder("b", log))
        for observer in [a, b, a, a] {
            try center.register((any DownloadObserver).self, observer: observer)
        }
        #expect(center.notify((any DownloadObserver).self) { $0.downloadCompleted("1") } == 2)
        #expect(log.all == ["a:1", "b:1"])
        center.unregister((any DownloadObserver).self, observer: a)
        center.unregister((any DownloadObserver).self, observer: a)
        #expect(!center.isRegistered((any DownloadObserver).self, observer: a))
        #expect(center.isRegistered((any DownloadObserver).self, observer: b))
        #expect(center.notify((any DownloadObserver).self) { $0.downloadCompleted("2") } == 1)
        #expect(log.all == ["a:1", "b:1", "b:2"])
        withExtendedLifetime((a, b)) {}
    }

    @Test func m19_aDeadObserverIsSweptAndAnotherAtItsAddressIsAnother() throws {
        for round in 0..<1_000 {
            let observer = Recorder("\(round)", log)
            #expect(!center.isRegistered((any DownloadObserver).self, observer: observer))
            try center.register((any DownloadObserver).self, observer: observer)
            #expect(center.notify((any DownloadObserver).self) { _ in } == 1)
        }
        #expect(center.notify((any DownloadObserver).self) { _ in } == 0)
    }

    @Test func originB6_protocolsOfOneNameAreNotOneKey() throws {
        #expect("\((any Here.Listener).self)" == "\((any There.Listener).self)")
        let (here, there) = (Recorder("here", log), Recorder("there", log))
        try center.register((any Here.Listener).self, observer: here)
        try center.register((any There.Listener).self, observer: there)
        #expect(center.notify((any Here.Listener).self) { $0.heard() } == 1)
        #expect(log.all == ["here heard"])
        #expect(center.notify((any There.Listener).self) { $0.heard() } == 1)
        #expect(log.all == ["here heard", "there heard"])
        withExtendedLifetime((here, there)) {}
    }

    @Test func aProtocolNobodyRegisteredForHasNobodyToNotify() {
        #expect(center.notify((any DownloadObserver).self) { _ in } == 0)
        let observer = Recorder("a", log)
        center.unregister((any DownloadObserver).self, observer: observer)
        #expect(!center.isRegistered((any DownloadObserver).self, observer: observer))
    }

    @Test func m9_noLockIsHeldWhileAnObserverIsNotified() throws {
        let observer = Recorder("a", log)
        try center.register((any DownloadObserver).self, observer: observer)
        center.notify((any DownloadObserver).self) { [center, log] _ in
            let isFree = finishesOnAnotherThread {
                center.unregister((any DownloadObserver).self, observer: observer)
                center.notify((any Here.Listener).self) { _ in }
                center.post(Ping())
            }
            log(isFree ? "free" : "locked")
        }
        #expect(log.all == ["free"])
    }

    @Test func m3_aMessagePostedWhileNotifyingComesAfterTheLastObserver() throws {
        let observers = [Recorder("a", log), Recorder("b", log)]
        for observer in observers {
            try center.register((any DownloadObserver).self, observer: observer)
        }
        let token = center.observe(Ping.self) { [log] in log("ping \($0.number)") }
        center.notify((any DownloadObserver).self) { [center] observer in
            center.post(Ping(number: 1))
            observer.downloadCompleted("1")
        }
        #expect(log.all == ["a:1", "b:1", "ping 1", "ping 1"])
        withExtendedLifetime(observers) {}
        token.cancel()
    }

    @Test func aStructIsRefusedWithAnErrorThatSaysSo() {
        let error = #expect(throws: TidingsError.self) {
            try center.register((any Sendable).self, observer: Value())
        }
        #expect(error?.code == .notAnObject)
        #expect(error?.message.contains("Value is not a class") == true)
        #expect(error?.location.hasPrefix("TidingsTests/RegisteredObserverTests.swift:") == true)
    }

    @MainActor @Test func originA6_screensAreNotifiedOnTheMainActorInOneOrderWithMessages() throws {
        let screen = Screen(log)
        try center.register((any DownloadScreen).self, observer: screen)
        let token = center.observe(Ping.self, on: .main) { [log] in log("ping \($0.number)") }
        let isDone = finishesOnAnotherThread { [center] in
            center.notify((any DownloadScreen).self, on: .main) { $0.show("1") }
            center.post(Ping(number: 2))
            center.notify((any DownloadScreen).self, on: .main) { $0.show("3") }
        }
        #expect(isDone)
        #expect(log.all.isEmpty)
        #expect(center.notify((any DownloadScreen).self, on: .main) { $0.show("4") } == 1)
        #expect(log.all == ["1", "ping 2", "3", "4"])
        withExtendedLifetime(screen) {}
        token.cancel()
    }

    @MainActor @Test func aScreenUnregisteredWhileItsCallWaitsIsNotCalled() throws {
        let screen = Screen(log)
        try center.register((any DownloadScreen).self, observer: screen)
        let isDone = finishesOnAnotherThread { [center] in
            center.notify((any DownloadScreen).self, on: .main) { $0.show("1") }
        }
        #expect(isDone)
        center.unregister((any DownloadScreen).self, observer: screen)
        center.notify((any DownloadScreen).self, on: .main) { $0.show("2") }
        center.post(Ping())
        let token = center.observe(Ping.self, on: .main) { _ in }
        center.post(Ping())
        #expect(log.all.isEmpty)
        token.cancel()
        withExtendedLifetime(screen) {}
    }

    @Test func originB4_registeringNotifyingAndDyingOnEightThreads() async throws {
        let stays = Recorder("stays", log)
        try center.register((any DownloadObserver).self, observer: stays)
        await withTaskGroup { [center, log] group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let observer = Recorder("\(number)", log)
                        try? center.register((any DownloadObserver).self, observer: observer)
                        center.notify((any DownloadObserver).self) { _ in }
                        if number.isMultiple(of: 2) {
                            center.unregister((any DownloadObserver).self, observer: observer)
                        }
                    }
                }
            }
        }
        #expect(center.notify((any DownloadObserver).self) { $0.downloadCompleted("x") } == 1)
        #expect(log.all == ["stays:x"])
        withExtendedLifetime(stays) {}
    }
}

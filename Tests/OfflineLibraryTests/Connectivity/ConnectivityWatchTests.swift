// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct ConnectivityWatchTests {
    private let messages = MessageCenter()
    private let source = ManualConnectivity(nil)

    @Test func eachChangeIsPublishedAndPosted() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let watch = ConnectivityWatch(messages: messages)
        #expect(watch.state.phase == .unknown)
        watch.start(source)
        for connectivity in [Connectivity.offline, .online, .offline] {
            source.become(connectivity)
            #expect(try await changes.next() == ConnectivityChanged(connectivity))
            #expect(watch.state.lastData == connectivity)
            #expect(watch.isOffline == (connectivity == .offline))
        }
        watch.stop()
    }

    @Test func theSameAgainIsNoChange() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let watch = ConnectivityWatch(messages: messages)
        let told = Lock(0)
        let token = watch.state.observe { _ in told.withLock { $0 += 1 } }
        watch.start(source)
        for connectivity in [Connectivity.online, .online, .online, .offline] {
            source.become(connectivity)
        }
        #expect(try await changes.next() == .online)
        #expect(try await changes.next() == .offline)
        // Unknown, online, offline.
        #expect(told.withLock { $0 } == 3)
        token.cancel()
        watch.stop()
    }

    @Test func whoObservesByNameHearsTheNamesOfOld() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let names = Lock<[String]>([])
        let ended = Gate()
        for name in ["InternetConnect", "InternetNotConnect"] {
            messages.observe(named: name, owner: ended) { gate, name, object in
                #expect(object == nil)
                // The type comes first.
                #expect(changes.messages.last?.name == name)
                let count = names.withLock { names in
                    names.append(name)
                    return names.count
                }
                if count == 2 { gate.open() }
            }
        }
        let watch = ConnectivityWatch(messages: messages)
        watch.start(source)
        source.become(.online)
        source.become(.offline)
        try await ended.wait()
        #expect(names.withLock { $0 } == ["InternetConnect", "InternetNotConnect"])
        watch.stop()
    }

    @Test func onlineIsAssumedWhereTheSystemCannotTell() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let assumptions = MessageRecorder(ConnectivityAssumed.self, on: messages)
        let watch = ConnectivityWatch(messages: messages)
        watch.start(source)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        source.fail(NetlinkError.malformed)
        source.fail(NetlinkError.changing)
        #expect(try await changes.next() == .online)
        #expect(!watch.isOffline)
        source.become(.online)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        // Said once, and no change where it was assumed already.
        #expect(assumptions.messages.map(\.reason) == ["The kernel's answer makes no sense."])
        watch.stop()
    }

    @Test func breadcrumbsMayShowIt() {
        #expect("\(ConnectivityChanged.offline)" == "offline")
        #expect(ConnectivityChanged.tracing == .described)
    }

    @Test func theSystemTellsAtOnce() async throws {
        // Whatever it is on this machine.
        for await report in SystemConnectivity().reports() {
            #expect(throws: Never.self) { try report.get() }
            return
        }
        Issue.record("the stream ended")
    }
}

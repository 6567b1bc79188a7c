// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct ConnectivityMonitorTests {
    private let messages = MessageCenter()
    private let source = ManualConnectivity(nil)

    @Test func eachChangeIsPublishedAndPosted() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let monitor = ConnectivityMonitor(messages: messages)
        #expect(monitor.state.state.phase == .unknown)
        monitor.start(source)
        for connectivity in [Connectivity.offline, .online, .offline] {
            source.become(connectivity)
            #expect(try await changes.next() == ConnectivityChanged(connectivity))
            #expect(monitor.state.lastData == connectivity)
            #expect(monitor.isOffline == (connectivity == .offline))
        }
        monitor.stop()
    }

    @Test func aRepeatedUpdateIsNotAChange() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let monitor = ConnectivityMonitor(messages: messages)
        let stateCount = Lock(0)
        let token = monitor.state.observe { _ in stateCount.withLock { $0 += 1 } }
        monitor.start(source)
        for connectivity in [Connectivity.online, .online, .online, .offline] {
            source.become(connectivity)
        }
        #expect(try await changes.next() == .online)
        #expect(try await changes.next() == .offline)
        // Unknown, online, offline.
        #expect(stateCount.withLock { $0 } == 3)
        token.cancel()
        monitor.stop()
    }

    @Test func onlineIsAssumedWhileTheSystemCannotDetermineIt() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let assumptions = MessageRecorder(ConnectivityAssumed.self, on: messages)
        let monitor = ConnectivityMonitor(messages: messages)
        monitor.start(source)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        source.fail(NetlinkError.malformed)
        source.fail(NetlinkError.inconsistent)
        #expect(try await changes.next() == .online)
        #expect(!monitor.isOffline)
        source.become(.online)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        // Posted once, and online after an assumed online is not a change.
        #expect(assumptions.messages.map(\.reason) == ["The kernel sent a malformed reply."])
        monitor.stop()
    }

    @Test func breadcrumbsShowTheConnectivity() {
        #expect("\(ConnectivityChanged.offline)" == "offline")
        #expect(ConnectivityChanged.tracing == .described)
    }

    @Test func theSystemReportsTheConnectivityAtOnce() async throws {
        // Either value is right: it depends on the machine.
        for await update in SystemConnectivity().updates() {
            #expect(throws: Never.self) { try update.get() }
            return
        }
        Issue.record("the stream ended")
    }
}

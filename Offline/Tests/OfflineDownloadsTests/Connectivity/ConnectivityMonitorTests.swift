// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct ConnectivityMonitorTests {
    private let messages = MessageCenter()
    private let source = ManualConnectivity(nil)

    @Test func eachChangeIsPublishedAndPosted() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let monitor = ConnectivityMonitor(source, messages: messages)
        #expect(monitor.state.state.phase == .unknown)
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
        let monitor = ConnectivityMonitor(source, messages: messages)
        let stateCount = Lock(0)
        let token = monitor.state.observe { _ in stateCount.withLock { $0 += 1 } }
        for connectivity in [Connectivity.online, .online, .online, .offline] {
            source.become(connectivity)
        }
        #expect(try await changes.next() == .online)
        #expect(try await changes.next() == .offline)
        // The states are unknown, online and offline.
        #expect(stateCount.withLock { $0 } == 3)
        token.cancel()
        monitor.stop()
    }

    @Test func onlineIsAssumedWhileTheSystemCannotDetermineIt() async throws {
        let changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        let assumptions = MessageRecorder(ConnectivityAssumed.self, on: messages)
        let monitor = ConnectivityMonitor(source, messages: messages)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        source.fail(NetlinkError.malformed)
        source.fail(NetlinkError.inconsistent)
        #expect(try await changes.next() == .online)
        #expect(!monitor.isOffline)
        source.become(.online)
        source.become(.offline)
        #expect(try await changes.next() == .offline)
        // One message was posted. Online after an assumed online does not count as a change.
        #expect(assumptions.messages.map(\.reason) == ["The kernel sent a malformed reply."])
        monitor.stop()
    }

    @Test func breadcrumbsShowTheConnectivity() {
        #expect("\(ConnectivityChanged.offline)" == "offline")
        #expect(ConnectivityChanged.tracing == .described)
    }

    @Test func theSystemReportsTheConnectivityAtOnce() async throws {
        // Either value is right, because the value depends on the machine.
        for await update in SystemConnectivity().updates() {
            #expect(throws: Never.self) { try update.get() }
            return
        }
        Issue.record("the stream ended")
    }
}

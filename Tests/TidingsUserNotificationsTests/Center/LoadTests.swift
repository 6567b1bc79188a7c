// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

#if os(Linux)
import CTidingsHeap
#endif

/// Many requests, and large ones.
@Suite(.timeLimit(.minutes(15)))
struct LoadTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private static let surrogates = String(
        decoding: [0x61, 0xD800, 0x62, 0xDC00, 0x63] as [UInt16],
        as: UTF16.self
    )

    @Test func n4_aThousandRacesLeaveOneEach() async throws {
        let fixture = CenterFixture()
        for round in 0..<1_000 {
            async let first = fixture.add("\(round)", "first")
            async let second = fixture.add("\(round)", "second")
            let outcomes = Set([try await first, try await second])
            #expect(outcomes.isSubset(of: [.accepted(), .replaced]))
            #expect(outcomes.contains(.accepted()))
            let shown = fixture.backend.shown.filter { $0.identifier == "\(round)" }
            let listed = fixture.center.delivered().filter { $0.identifier == "\(round)" }
            #expect(shown.count == 1 && shown.map(\.id) == listed.map(\.id))
            fixture.center.remove(["\(round)"])
        }
    }

    @Test(arguments: [
        String(repeating: "Überlänge & <b>", count: 6_600), LoadTests.surrogates,
        "\u{FFFD}\u{FEFF}\r\n\u{7}", "مرحبا \u{2067}a & b\u{2069}",
    ])
    func n6_anyTextSurvivesTheDisk(_ text: String) async throws {
        let content = UserNotificationContent(
            title: text,
            subtitle: text,
            body: text,
            thread: text,
            userInfo: [
                text: "\(text)", "n": .init(json: 7), "list": .init(json: [1.5, true, nil]),
            ]
        )
        let first = try await folder.fixture()
        let request = UserNotificationRequest(identifier: text, content: content)
        _ = await (try first.center.add(request)).outcome
        var later = request
        (later.identifier, later.trigger) = ("later", .after(.seconds(9)))
        _ = try await first.center.add(later)
        let next = CenterFixture(store: folder.store)
        #expect(await next.center.pending().map(\.request) == [later])
        #expect(next.center.delivered().map(\.content) == [content])
        #expect(next.center.delivered().map(\.identifier) == [text])
    }

    @Test func n16_theCallersFileStaysAsItIs() async throws {
        let path = try folder.put("picture")
        let fixture = CenterFixture()
        let content = UserNotificationContent(title: "a", picture: .file(path))
        let waiting = UserNotificationTrigger.after(.seconds(5))
        for (identifier, trigger) in [("now", .now), ("later", waiting)] {
            let request = UserNotificationRequest(
                identifier: identifier,
                content: content,
                trigger: trigger
            )
            _ = try await fixture.center.add(request)
        }
        fixture.clock.advance(by: .seconds(5))
        try await fixture.waitForDelivered(2)
        try fixture.center.respond(to: "now")
        fixture.center.removeAll()
        _ = await fixture.center.pending()
        #expect(folder.text(path) == "picture")
    }

    #if os(Linux)
    /// A test in a separate process, whose memory other tests do not change.
    @Test func memoryIsFlatOverTwentyThousandPosts() async {
        await #expect(processExitsWith: .success) {
            let center = UserNotificationCenter(
                application: .init(id: "org.example.Load", name: "Load"),
                backend: .inMemory,
                messages: MessageCenter()
            ) { _ in true }
            try await center.requestAuthorization()
            let post: @Sendable (Range<Int>) async throws -> Void = { numbers in
                var receipts: [UserNotificationReceipt] = []
                for number in numbers {
                    let content = UserNotificationContent(title: "Post \(number)", badge: number)
                    let request = UserNotificationRequest(
                        identifier: "\(number)",
                        content: content
                    )
                    receipts.append(try await center.add(request))
                }
                for receipt in receipts {
                    let outcome = await receipt.outcome
                    if outcome != .accepted() { exit(2) }
                }
                // The transactions in progress hold copies of the list.
                await center.flush()
            }
            for hundred in 0..<50 { try await post(hundred * 100..<hundred * 100 + 100) }
            let before = Int(tidings_heap_in_use())
            for hundred in 50..<250 {
                try await post(hundred * 100..<hundred * 100 + 100)
            }
            // Other threads may still release memory of the last posts, but a leak stays.
            var growth = Int.max
            for hundred in 250..<300 where growth >= 256 << 10 {
                try await post(hundred * 100..<hundred * 100 + 100)
                growth = Int(tidings_heap_in_use()) - before
            }
            print("grown by \(growth) bytes from \(before)")
            #expect(center.delivered().count == 500)
            #expect(before > 0 && growth < 256 << 10)
        }
    }
    #endif
}

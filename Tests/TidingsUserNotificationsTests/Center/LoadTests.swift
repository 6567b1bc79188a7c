// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Many posts, and large ones.
@Suite(.timeLimit(.minutes(5)))
struct LoadTests {
    private static let surrogates = String(
        decoding: [0x61, 0xD800, 0x62, 0xDC00, 0x63] as [UInt16],
        as: UTF16.self
    )

    @Test func promise4_twoThatRaceLeaveOneAThousandTimes() async throws {
        let bench = Bench()
        for round in 0..<1_000 {
            async let first = bench.add("\(round)", "first")
            async let second = bench.add("\(round)", "second")
            let outcomes = Set([try await first, try await second])
            #expect(outcomes.isSubset(of: [.accepted(), .replaced]))
            #expect(outcomes.contains(.accepted()))
            let shown = bench.backend.shown.filter { $0.identifier == "\(round)" }
            let listed = bench.center.delivered().filter { $0.identifier == "\(round)" }
            #expect(shown.count == 1 && shown.map(\.id) == listed.map(\.id))
            bench.center.remove(["\(round)"])
        }
    }

    @Test(arguments: [
        String(repeating: "Überlänge & <b>", count: 6_600), LoadTests.surrogates,
        "\u{FFFD}\u{FEFF}\r\n\u{7}", "مرحبا \u{2067}a & b\u{2069}",
    ])
    func promise6_anyTextComesBackFromTheDisk(_ text: String) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let content = UserNotificationContent(
            title: text,
            subtitle: text,
            body: text,
            thread: text,
            userInfo: [text: .string(text), "n": 7, "list": [1.5, true, nil]]
        )
        let first = Bench(store: FileNotificationStore(path: folder + "/n.json"))
        try await first.center.setAuthorization(.granted)
        let request = UserNotificationRequest(identifier: text, content: content)
        _ = await (try first.center.add(request)).outcome
        var later = request
        (later.identifier, later.trigger) = ("later", .after(.seconds(9)))
        _ = try await first.center.add(later)
        let next = Bench(store: FileNotificationStore(path: folder + "/n.json"))
        #expect(await next.center.pending().map(\.request) == [later])
        #expect(next.center.delivered().map(\.content) == [content])
        #expect(next.center.delivered().map(\.identifier) == [text])
    }

    /// The resident size of this process in KiB.
    private static var residentKiB: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
    }

    @Test func promise16_theCallersFileStaysAsItIs() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("picture".utf8).write(to: URL(filePath: path))
        let bench = Bench()
        let content = UserNotificationContent(title: "a", attachments: [.image(file: path)])
        let waiting = NotificationTrigger.after(.seconds(5))
        for (identifier, trigger) in [("now", .now), ("later", waiting)] {
            let request = UserNotificationRequest(
                identifier: identifier,
                content: content,
                trigger: trigger
            )
            _ = try await bench.center.add(request)
        }
        bench.clock.advance(by: .seconds(5))
        try await bench.waitForDelivered(2)
        try bench.center.respond(to: "now")
        bench.center.removeAll()
        _ = await bench.center.pending()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "picture")
    }

    #if THREAD_SANITIZER
    // What it notes of every access takes ten times as long, and memory of its own.
    private static let hundreds = 200
    #else
    private static let hundreds = 1_000
    #endif

    /// In a process of its own: other tests would count.
    @Test func memoryIsFlatOverAHundredThousandPosts() async {
        await #expect(processExitsWith: .success) {
            let center = UserNotificationCenter(
                application: .init(id: "org.example.Load", name: "Load"),
                backend: .inMemory,
                messages: MessageCenter()
            ) { _ in .granted }
            try await center.requestAuthorization()
            let post: @Sendable (Range<Int>) async throws -> Void = { numbers in
                var receipts: [NotificationReceipt] = []
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
            }
            for hundred in 0..<100 { try await post(hundred * 100..<hundred * 100 + 100) }
            let before = LoadTests.residentKiB
            for hundred in 100..<LoadTests.hundreds {
                try await post(hundred * 100..<hundred * 100 + 100)
            }
            let growth = LoadTests.residentKiB - before
            print("grown by \(growth) KiB from \(before) KiB")
            #expect(center.delivered().count == 500)
            #if !THREAD_SANITIZER
            if growth > 8 * 1_024 { exit(3) }
            #endif
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Copies of processes that end, and of several at once.
@Suite(.timeLimit(.minutes(5)))
struct AttachmentProcessTests {
    private let place: AttachmentPlace

    init() throws {
        place = try AttachmentPlace()
    }

    @Test func promise16_whatAKilledProcessHasLeftGoesAtTheNextStart() async throws {
        let (path, source) = (place.path, try place.put("picture"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, source = source as String] in
            let bench = Bench(store: FileNotificationStore(path: path))
            try await bench.center.setAuthorization(.granted)
            try await bench.post("waits", picture: source, .after(.seconds(99)))
            _ = await (try bench.post("listed", picture: source)).outcome
            await bench.saved()
            // A copy whose request never came to the disk.
            _ = await bench.center.vault?.copies(of: [.image(file: source)], isDurable: false)
            kill(getpid(), SIGKILL)
        }
        #expect(place.names.count == 3)
        let strange = "\(place.copies)/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: strange))
        let bench = try await place.bench()
        let pending = await bench.center.pending().flatMap(\.request.content.files)
        let files = pending + bench.deliveredFiles
        #expect(files.count == 2 && files.allSatisfy { place.text($0) == "picture" })
        #expect(place.names.map { "\(place.copies)/\($0)" } == (files + [strange]).sorted())
    }

    @Test func promise16_aCopyThatALivingRunHasJustMadeStays() async throws {
        let first = try await place.bench()
        let source = try place.put("picture")
        let vault = try #require(first.center.vault)
        let copies = await vault.copies(of: [.image(file: source)], isDurable: false)
        let second = try await place.bench()
        await second.saved()
        #expect(Set(place.names) == copies.names)
        _ = await (try second.post("1", picture: source)).outcome
        second.center.removeAll()
        await second.saved()
        #expect(Set(place.names) == copies.names)
    }

    /// Each round begins as a start of the program does, and ends everything.
    @Test func promise16_twoProcessesLeaveEachOthersCopiesAlone() async throws {
        let source = try place.put("picture")
        try await place.store.update { $0.authorization = .granted }
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<2 {
                group.addTask { [path = place.path] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, source = source as String, process = process as Int]
                        in
                        try await AttachmentProcessTests.work(path, source, process)
                    }
                }
            }
        }
        #expect(place.names.isEmpty)
    }

    private static func work(_ path: String, _ source: String, _ process: Int) async throws {
        for round in 0..<25 {
            let bench = Bench(store: FileNotificationStore(path: path))
            let waiting = "\(process)-\(round)"
            try await bench.post(waiting, picture: source, .after(.seconds(99)))
            _ = await (try bench.post(waiting + "-now", picture: source)).outcome
            await bench.saved()
            let pending = await bench.center.pending().filter { $0.id == waiting }
            let shown = bench.center.delivered().filter { $0.identifier == waiting + "-now" }
            let files = pending.flatMap(\.request.content.files) + shown.flatMap(\.content.files)
            let texts = files.map { try? String(contentsOfFile: $0, encoding: .utf8) }
            if texts != ["picture", "picture"] { exit(2) }
            bench.center.remove([waiting, waiting + "-now"])
            await bench.saved()
        }
    }
}

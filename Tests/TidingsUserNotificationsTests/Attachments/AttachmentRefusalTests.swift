// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Files that are not copied.
@Suite(.timeLimit(.minutes(5)))
struct AttachmentRefusalTests {
    private let place: AttachmentPlace

    init() throws {
        place = try AttachmentPlace()
    }

    /// What is no plain file.
    enum Thing: CaseIterable {
        case nothing, link, folder, pipe, device, relative, zero
    }

    private func make(_ thing: Thing) throws -> String {
        let path = "\(place.folder)/thing"
        switch thing {
        case .nothing: break
        case .link: try #require(symlink(try place.put("picture"), path) == 0)
        case .folder: try #require(mkdir(path, 0o700) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .device: return "/dev/zero"
        case .relative: return "Package.swift"
        case .zero: return try place.put("picture") + "\u{0}.png"
        }
        return path
    }

    @Test(arguments: Thing.allCases)
    func promise16_whatIsNoFileIsLeftOutAndTold(_ thing: Thing) async throws {
        let bench = try await place.bench()
        let told = MessageRecorder(NotificationAttachmentNotCopied.self, on: bench.messages)
        let path = try make(thing)
        let receipt = try await bench.post("1", picture: path)
        #expect(await receipt.outcome == .accepted(degraded: .image))
        #expect(bench.deliveredFiles.isEmpty)
        try await bench.post("2", picture: path, .after(.seconds(5)))
        #expect(await bench.center.pending().flatMap(\.request.content.files).isEmpty)
        let reason: NotificationAttachmentNotCopied.Reason =
            thing == .nothing ? .missing : .notAFile
        #expect(
            told.messages == ["1", "2"].map { .init(identifier: $0, path: path, reason: reason) }
        )
        #expect(place.names.isEmpty)
    }

    @Test func promise16_aHugeFileIsShownFromWhereItIs() async throws {
        let bench = try await place.bench()
        let told = MessageRecorder(NotificationAttachmentNotCopied.self, on: bench.messages)
        let path = try place.put("")
        #expect(truncate(path, off_t(AttachmentVault.limit) + 1) == 0)
        #expect(await (try bench.post("1", picture: path)).outcome == .accepted())
        try await bench.post("2", picture: path, .after(.seconds(5)))
        #expect(bench.deliveredFiles == [path])
        #expect(await bench.center.pending().flatMap(\.request.content.files) == [path])
        let reason = NotificationAttachmentNotCopied.Reason.tooLarge(limit: AttachmentVault.limit)
        #expect(told.messages.map(\.reason) == [reason, reason])
        bench.center.removeAll()
        await bench.saved()
        #expect(place.names.isEmpty && access(path, F_OK) == 0)
    }

    @Test func promise16_allCopiesTogetherHaveALimit() async throws {
        let vault = AttachmentVault(place.folder + "/copies", owner: Runs.begin(), limits: (8, 20))
        let path = try place.put("12345678")
        let attachments = [1, 2, 3].map { _ in NotificationAttachment.image(file: path) }
        let copies = await vault.copies(of: attachments, isDurable: false)
        #expect(copies.names.count == 2)
        #expect(copies.attachments.last == attachments[2])
        #expect(copies.problems.map(\.reason) == [.noRoom])
        await vault.remove([try #require(copies.names.first)])
        let again = await vault.copies(of: attachments, isDurable: false)
        #expect(again.names.count == 1 && again.problems.count == 2)
    }

    @Test func promise16_whatIsRefusedLeavesNoCopy() async throws {
        let bench = try await place.bench()
        let path = try place.put("picture")
        await #expect(throws: UserNotificationError.self) {
            try await bench.post("1", picture: path, .after(.seconds(-1)))
        }
        #expect(place.names.isEmpty && place.text(path) == "picture")
    }

    @Test func promise16_aFullDiskLeavesNothingHalf() async throws {
        let (path, source) = (place.path, try place.put(String(repeating: "x", count: 1 << 17)))
        await #expect(processExitsWith: .success) {
            [path = path as String, source = source as String] in
            signal(SIGXFSZ, SIG_IGN)
            // Enough for the record and for half of a copy.
            var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let bench = Bench(store: FileNotificationStore(path: path))
            try await bench.center.setAuthorization(.granted)
            do {
                try await bench.post("1", picture: source, .after(.seconds(5)))
                exit(1)
            } catch {
                if (error as? UserNotificationError)?.code != .diskFull { exit(2) }
            }
            if await !bench.center.pending().isEmpty { exit(3) }
            // What is shown now needs no disk.
            let outcome = await (try bench.post("2", picture: source)).outcome
            if outcome != .accepted() || bench.deliveredFiles != [source] { exit(4) }
        }
        #expect(place.names.isEmpty)
        #expect(place.text(source)?.utf8.count == 1 << 17)
    }
}

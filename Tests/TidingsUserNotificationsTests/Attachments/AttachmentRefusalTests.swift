// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Files that are not copied.
@Suite(.timeLimit(.minutes(15)))
struct AttachmentRefusalTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// The kinds of paths that do not lead to a plain file.
    enum FileKind: CaseIterable {
        case nothing, link, folder, pipe, device, relative, zero
    }

    private func makeFile(_ kind: FileKind) throws -> String {
        let path = "\(folder.path)/file"
        switch kind {
        case .nothing: break
        case .link: try #require(symlink(try folder.put("picture"), path) == 0)
        case .folder: try #require(mkdir(path, 0o700) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .device: return "/dev/zero"
        case .relative: return "Package.swift"
        case .zero: return try folder.put("picture") + "\u{0}.png"
        }
        return path
    }

    @Test(arguments: FileKind.allCases)
    func n16_anUnreadableFileIsLeftOutAndReported(_ kind: FileKind) async throws {
        let fixture = try await folder.fixture()
        let reports = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        let path = try makeFile(kind)
        let receipt = try await fixture.post("1", picture: path)
        #expect(await receipt.outcome == .accepted(degraded: .image))
        #expect(fixture.deliveredFiles.isEmpty)
        try await fixture.post("2", picture: path, .after(.seconds(5)))
        #expect(await fixture.center.pending().flatMap(\.request.content.files).isEmpty)
        let reason: NotificationAttachmentNotCopied.Reason =
            kind == .nothing ? .missing : .notAFile
        #expect(
            reports.messages.map { $0.error.cause as? NotificationAttachmentNotCopied }
                == ["1", "2"].map { .init(identifier: $0, path: path, reason: reason) }
        )
        #expect(folder.names.isEmpty)
    }

    @Test func n16_aHugeFileIsShownFromItsOwnPath() async throws {
        let fixture = try await folder.fixture()
        let reports = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        let path = try folder.put("")
        #expect(truncate(path, off_t(AttachmentStore.limit) + 1) == 0)
        #expect(await (try fixture.post("1", picture: path)).outcome == .accepted())
        try await fixture.post("2", picture: path, .after(.seconds(5)))
        #expect(fixture.deliveredFiles == [path])
        #expect(await fixture.center.pending().flatMap(\.request.content.files) == [path])
        let reason = NotificationAttachmentNotCopied.Reason.tooLarge(limit: AttachmentStore.limit)
        #expect(reports.messages.map(\.error.code) == [.pictureNotCopied, .pictureNotCopied])
        let causes = reports.messages.map { $0.error.cause as? NotificationAttachmentNotCopied }
        #expect(causes.map { $0?.reason } == [reason, reason])
        fixture.center.removeAll()
        await fixture.waitForSaves()
        #expect(folder.names.isEmpty && access(path, F_OK) == 0)
    }

    @Test func n16_allCopiesTogetherHaveALimit() async throws {
        let attachmentStore = AttachmentStore(
            folder.path + "/copies",
            owner: RunRegistry.register(),
            limits: (8, 20)
        )
        let path = try folder.put("12345678")
        let attachments = [1, 2, 3].map { _ in UserNotificationPicture.file(path) }
        let copies = await attachmentStore.copies(of: attachments, isDurable: false)
        #expect(copies.names.count == 2)
        #expect(copies.attachments.last == attachments[2])
        #expect(copies.failures.map(\.reason) == [.noRoom])
        await attachmentStore.remove([try #require(copies.names.first)])
        let again = await attachmentStore.copies(of: attachments, isDurable: false)
        #expect(again.names.count == 1 && again.failures.count == 2)
    }

    @Test func n16_aRefusedRequestLeavesNoCopy() async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("picture")
        await #expect(throws: UserNotificationError.self) {
            try await fixture.post("1", picture: path, .after(.seconds(-1)))
        }
        #expect(folder.names.isEmpty && folder.text(path) == "picture")
    }

    @Test func n16_aFullDiskLeavesNoPartialCopy() async throws {
        let (path, source) = (
            folder.storePath, try folder.put(String(repeating: "x", count: 1 << 17))
        )
        await #expect(processExitsWith: .success) {
            [path = path as String, source = source as String] in
            signal(SIGXFSZ, SIG_IGN)
            // The limit is enough for the record and for half of a copy.
            var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let fixture = CenterFixture(store: FileNotificationStore(path: path))
            try await fixture.center.setAuthorization(.granted)
            do {
                try await fixture.post("1", picture: source, .after(.seconds(5)))
                exit(1)
            } catch {
                if (error as? UserNotificationError)?.code != .diskFull { exit(2) }
            }
            if await !fixture.center.pending().isEmpty { exit(3) }
            // A request for now needs no disk.
            let outcome = await (try fixture.post("2", picture: source)).outcome
            if outcome != .accepted() || fixture.deliveredFiles != [source] { exit(4) }
        }
        #expect(folder.names.isEmpty)
        #expect(folder.text(source)?.utf8.count == 1 << 17)
    }
}

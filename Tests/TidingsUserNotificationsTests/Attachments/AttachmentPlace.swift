// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsUserNotifications

/// A folder with the file of a store in it, and with files that a caller has.
final class AttachmentPlace: Sendable {
    let folder = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
    var path: String { "\(folder)/state/n.json" }
    var store: FileNotificationStore { FileNotificationStore(path: path) }
    /// Where the copies are.
    var copies: String { "\(path).attachments" }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The names of all copies.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? []).sorted()
    }

    /// Writes a file of the caller, and returns its path.
    func put(_ content: String, _ name: String = "picture.png") throws -> String {
        let path = "\(folder)/\(name)"
        try Data(content.utf8).write(to: URL(filePath: path))
        return path
    }

    func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// A center with what is here, in which notifications are allowed.
    func bench() async throws -> Bench {
        let bench = Bench(store: store)
        try await bench.center.setAuthorization(.granted)
        return bench
    }
}

extension Bench {
    /// Adds a notification with a picture.
    @discardableResult
    func post(
        _ identifier: String,
        picture path: String,
        _ trigger: NotificationTrigger = .now,
        _ policy: OverduePolicy = .deliver
    ) async throws -> NotificationReceipt {
        try await center.add(
            .init(
                identifier: identifier,
                content: .init(title: identifier, attachments: [.image(file: path)]),
                trigger: trigger,
                ifOverdue: policy
            )
        )
    }

    /// Waits until everything that was asked for is on disk.
    func saved() async { _ = await center.pending() }

    /// The files of what is delivered.
    var deliveredFiles: [String] { center.delivered().flatMap(\.content.files) }
}

extension UserNotificationContent {
    var files: [String] {
        attachments.compactMap { attachment in
            if case .file(let path) = attachment.source { path } else { nil }
        }
    }
}

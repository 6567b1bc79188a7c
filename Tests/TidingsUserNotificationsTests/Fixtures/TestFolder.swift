// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsCoreFixtures

@testable import TidingsUserNotifications

/// A temporary folder with the file of a store and files of the caller.
final class TestFolder: Sendable {
    let path: String
    var storePath: String { "\(path)/state/n.json" }
    var store: FileNotificationStore {
        FileNotificationStore(path: storePath, lockLimit: .seconds(600))
    }
    /// The folder of the copies.
    var copies: String { "\(storePath).attachments" }

    init() throws {
        path = try ProcessFolder.shared.get().path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of all copies.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? []).sorted()
    }

    /// Writes a file of the caller and returns its path.
    func put(_ content: String, _ name: String = "picture.png") throws -> String {
        let file = "\(path)/\(name)"
        try Data(content.utf8).write(to: URL(filePath: file))
        return file
    }

    func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// Creates a center with this store and with permission for notifications.
    func fixture() async throws -> CenterFixture {
        let fixture = CenterFixture(store: store)
        try await fixture.center.setAuthorization(.granted)
        return fixture
    }
}

extension CenterFixture {
    /// Adds a notification with a picture.
    @discardableResult
    func post(
        _ identifier: String,
        picture path: String,
        _ trigger: UserNotificationTrigger = .now,
        _ policy: UserNotificationOverduePolicy = .deliver
    ) async throws -> UserNotificationReceipt {
        try await center.add(
            .init(
                identifier: identifier,
                content: .init(title: identifier, picture: .file(path)),
                trigger: trigger,
                ifOverdue: policy
            )
        )
    }

    /// Waits until all earlier changes are stored.
    func waitForSaves() async { _ = await center.pending() }

    /// The files of the delivered notifications.
    var deliveredFiles: [String] { center.delivered().flatMap(\.content.files) }
}

extension UserNotificationContent {
    var files: [String] {
        attachments.compactMap { attachment in
            if case .file(let path) = attachment.source { path } else { nil }
        }
    }
}

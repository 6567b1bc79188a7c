// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A folder for unreadable files, which were tried once and are kept for inspection.
struct Quarantine: Sendable {
    /// The maximum number of items, beyond which the oldest item is removed.
    static let limit = 5

    let path: String

    /// Moves a file or folder here, or deletes an item that cannot be moved.
    ///
    /// - Returns: Whether the item is gone from its old place.
    @discardableResult
    func add(_ item: String) -> Bool {
        let stamp = Int(Date().timeIntervalSince1970 * 1_000)
        let name = "\(stamp)-\((item as NSString).lastPathComponent)"
        do {
            try SystemFile.makeFolder(path)
            try SystemFile.rename(item, to: "\(path)/\(name)")
        } catch {
            // Another process may have moved the item first.
            try? FileManager.default.removeItem(atPath: item)
        }
        for name in names.dropLast(Self.limit) { remove(name) }
        return SystemFile.isMissing(item)
    }

    /// The names of the items, oldest first.
    var names: [String] { SystemFile.names(in: path).sorted() }

    /// Deletes all items and returns the error if an item is left.
    func removeAll() -> SystemError? {
        for name in names { remove(name) }
        guard let left = names.first else { return nil }
        // The removal is repeated in order to obtain the reason.
        do throws(SystemError) {
            try SystemFile.remove("\(path)/\(left)")
        } catch {
            return error
        }
        return nil
    }

    private func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsSQLite

/// A profile of Firefox with its cookies.
struct FirefoxProfile: Equatable {
    /// The folders of Firefox below the home folder, including the folders of Snap and Flatpak.
    private static let roots = [
        ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/.mozilla/firefox",
    ]
    private static let cookieFile = "cookies.sqlite"
    private static let iniLimit = 1 << 20

    /// The folder of the profile.
    let folder: String

    /// Finds a profile.
    ///
    /// - Parameters:
    ///   - name: The profile's name, or nil for the profile that Firefox opens by default.
    ///   - home: The home folder.
    /// - Throws: `UsageError` if there is none.
    init(named name: String?, home: String) throws(UsageError) {
        for root in Self.roots.map({ "\(home)/\($0)" }) {
            let ini = FileHandle(forReadingAtPath: "\(root)/profiles.ini")
            defer { try? ini?.close() }
            guard let data = try? ini?.read(upToCount: Self.iniLimit) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if let path = Self.path(named: name, in: text) {
                folder = path.hasPrefix("/") ? path : "\(root)/\(path)"
                return
            }
        }
        throw UsageError(
            name == nil
                ? "Firefox has no profile here. Start it once, or use --cookies FILE."
                : "Firefox has no profile of this name. Use --cookies-from-browser firefox for the "
                    + "usual one."
        )
    }

    /// Returns the path of a profile in the text of `profiles.ini`.
    static func path(named name: String?, in text: String) -> String? {
        var sections: [(title: String, values: [String: String])] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                sections.append((String(line[line.index(after: line.startIndex)..<end]), [:]))
            } else if let sign = line.firstIndex(of: "="), !sections.isEmpty {
                let value = String(line[line.index(after: sign)...])
                sections[sections.count - 1].values[String(line[..<sign])] = value
            }
        }
        let profiles = sections.filter { $0.title.hasPrefix("Profile") }.map(\.values)
        if let name {
            return profiles.first { $0["Name"] == name }?["Path"]
        }
        let installed = sections.first { $0.title.hasPrefix("Install") }?.values["Default"]
        return installed ?? (profiles.first { $0["Default"] == "1" } ?? profiles.first)?["Path"]
    }

    /// Returns the cookies of the profile, without the cookies of containers.
    ///
    /// The function reads a copy, because Firefox locks the original file.
    ///
    /// - Throws: `UsageError` if the file is missing or unreadable.
    func cookies() throws(UsageError) -> [Cookie] {
        let copy = NSTemporaryDirectory() + "offline-cookies-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: copy) }
        do {
            // Only the owner can read the copy, as is the case for the profile.
            try FileManager.default.createDirectory(
                atPath: copy,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            for suffix in ["", "-wal"] {
                let file = "\(folder)/\(Self.cookieFile)\(suffix)"
                if !suffix.isEmpty, !FileManager.default.fileExists(atPath: file) { continue }
                try FileManager.default.copyItem(
                    atPath: file,
                    toPath: "\(copy)/\(Self.cookieFile)\(suffix)"
                )
            }
            return try Self.cookies(in: "\(copy)/\(Self.cookieFile)")
        } catch {
            throw UsageError(
                "The cookies of Firefox cannot be read. Close Firefox and try again, or use "
                    + "--cookies FILE."
            )
        }
    }

    private static func cookies(in path: String) throws(SQLiteError) -> [Cookie] {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        defer { connection.close() }
        return try connection.rows(
            """
            SELECT host, path, isSecure, expiry, name, value FROM moz_cookies
            WHERE originAttributes = ''
            """
        ) { row throws(SQLiteError) in
            let host = try row.text("host")
            let expiry = Int64(try row.optionalInt("expiry") ?? 0)
            return Cookie(
                host: host,
                includesSubdomains: host.hasPrefix("."),
                path: try row.text("path"),
                isSecure: try row.int("isSecure") != 0,
                // Newer versions of Firefox count milliseconds.
                expiry: expiry > 100_000_000_000 ? expiry / 1_000 : expiry,
                name: try row.text("name"),
                value: try row.text("value")
            )
        }.compactMap(\.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore

/// The options of every command.
struct CommonOptions: Equatable {
    /// The library's folder, or nil for the user's own library.
    var library: String?
    var sentry: String?
    var showsHelp = false
    var showsVersion = false

    private static var table: OptionTable<Self> {
        [
            .option("--library", .path("DIR"), into: \.library):
                "the folder of the files (default: ~/Videos/Offline)",
            .option("--sentry", .text("DSN"), into: \.sentry): """
            the destination of reports: Sentry, GlitchTip or Bugsink (or OFFLINE_SENTRY_DSN; \
            without one, reports stay here)
            """,
            .flag("--help", into: \.showsHelp): "explain all commands, or the one before it",
            .flag("-h", into: \.showsHelp, isHidden: true): "",
            .flag("--version", into: \.showsVersion): "print the version",
        ]
    }

    static var parameters: [Parameter] { table.map { $0.parameter.explained($1) } }

    /// Reads the options, wherever they are in the words.
    init(_ words: ScannedWords) throws(UsageError) {
        try UsageError.check(words, options: Self.parameters)
        try words.store(in: &self, Self.table.map(\.key))
    }

    /// Returns the directory of the library.
    func directory(_ variables: [String: String]) -> LibraryDirectory {
        guard let library else { return .standard(environment: variables) }
        let folder = library.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        return .chosen(folder + library)
    }
}

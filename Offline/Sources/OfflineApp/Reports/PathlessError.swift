// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import RegexBuilder
import TidingsDiagnostics

/// An error whose report names the library's folders and files only as “the library”.
///
/// The redaction removes home folders, but a library can be on any disk, whose name may be private,
/// and the names of the media are their titles.
struct PathlessError: ReportableError {
    let reportDomain: String
    let reportCode: String?
    let reportMessage: String
    let reportCause: (any Error)?
    let reportLocation: String?

    init(_ error: any ReportableError, of directory: LibraryDirectory) {
        reportDomain = error.reportDomain
        reportCode = error.reportCode
        reportMessage = error.reportMessage
            .replacing(directory.data, with: "the library")
            .replacing(Self.mediaFile(in: directory), with: "the library")
        reportCause = error.reportCause.map { cause in
            (cause as? any ReportableError).map { Self($0, of: directory) } ?? cause
        }
        reportLocation = error.reportLocation
    }

    /// Matches the media folder, and a name in it; no name of this program contains a colon.
    private static func mediaFile(
        in directory: LibraryDirectory
    ) -> some RegexComponent<Substring> {
        Regex {
            directory.media
            Optionally {
                "/"
                ZeroOrMore(CharacterClass.anyOf(":\n").inverted)
            }
        }
    }
}

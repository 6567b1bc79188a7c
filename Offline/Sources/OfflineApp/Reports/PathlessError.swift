// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import RegexBuilder
import TidingsDiagnostics

/// An error whose report names the library's folders and files only as “the library”, and no
/// other path.
///
/// The redaction removes home folders, but a library can be on any disk, whose name may be private,
/// and the names of the media are their titles.
struct PathlessError: ReportableError {
    let reported: ReportedError
    let reportCause: (any Error)?

    init(_ error: any Error, of directory: LibraryDirectory) {
        let reportable = error as? any ReportableError
        var reported =
            reportable?.reported
            ?? ReportedError(
                domain: String(reflecting: type(of: error)),
                message: String(describing: error)
            )
        reported.message = reported.message
            .replacing(directory.data, with: "the library")
            .replacing(Self.mediaFile(in: directory), with: "the library")
        // Another path, or one in a form of its own, such as an encoded address.
        if reported.message.contains(Self.absolutePath) {
            reported.message = "Its text contains a path."
        }
        self.reported = reported
        reportCause = reportable?.reportCause.map { Self($0, of: directory) }
    }

    /// Matches the beginning of an absolute path, but not a slash in a word.
    private static var absolutePath: some RegexComponent<Substring> {
        Regex {
            ChoiceOf {
                Anchor.startOfSubject
                CharacterClass.word.inverted
            }
            "/"
        }
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

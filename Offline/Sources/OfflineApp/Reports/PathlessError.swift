// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import RegexBuilder
import TidingsDiagnostics

/// An error whose report names the library's folders and files only as “the library”, without
/// any path.
///
/// The redaction removes home folders, but a library can be on any disk. The name of the disk may
/// be private, and the media files are named after the titles.
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
        // The message may contain another path, or the path in another form, such as an encoded
        // address.
        if reported.message.contains(Self.absolutePath) {
            reported.message = "Its text contains a path."
        }
        self.reported = reported
        reportCause = reportable?.reportCause.map { Self($0, of: directory) }
    }

    /// Matches the start of an absolute path, but not a slash in a word.
    private static var absolutePath: some RegexComponent<Substring> {
        Regex {
            ChoiceOf {
                Anchor.startOfSubject
                CharacterClass.word.inverted
            }
            "/"
        }
    }

    /// Matches the media folder and an optional name in the folder.
    ///
    /// File names of this program contain no colon.
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

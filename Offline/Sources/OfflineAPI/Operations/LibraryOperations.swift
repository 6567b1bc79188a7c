// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineLibrary
import OfflineModel
package import OfflineStore
import Tidings

/// The operations on the settings, the network and the whole library.
package struct LibraryOperations: Sendable {
    /// Returns the settings of all downloads.
    package let settings = get("/settings") { (library: Library, _: NoContent) in
        try library.settings()
    }

    /// Changes settings and returns all settings.
    package let changeSettings = patch("/settings") { (library: Library, change: SettingsChange) in
        try await library.change(change.texts)
    }

    /// Returns whether the machine can reach the internet.
    package let connectivity = get("/connectivity") { (library: Library, _: NoContent) in
        ConnectivityJSON(library.connectivity.state.state)
    }

    /// Compares the library with the disk.
    package let refresh = post("/refresh") { (library: Library, options: RefreshOptions) in
        try await library.refresh(options)
    }

    /// Returns the progress or the result of a verification.
    package let verification = get("/verify", 404) { (library: Library, run: VerificationRun) in
        try run.report(in: library)
    }

    /// Starts to read every byte of the finished files.
    package let verify = post("/verify", 404, 409, status: 202) {
        (library: Library, wanted: VerifyJSON) in
        try library.verify(
            Set(wanted.ids ?? []),
            acceptsSubtitles: wanted.acceptSubtitles ?? false
        )
    }

    /// Stops a verification.
    package let stopVerification = delete("/verify", 404) {
        (library: Library, run: VerificationRun) in
        let report = try run.report(in: library)
        library.verification.stop(run.number)
        return report
    }

    /// Adds the content of an exported library.
    package let importText = post("/import") { (library: Library, text: LibraryText) in
        try await library.importItems(text.lines(), allowsPrivate: text.allowsPrivate)
    }
}

extension VerificationRun {
    fileprivate func report(in library: Library) throws(LibraryError) -> VerificationReport {
        guard let number else { return library.verification.report }
        guard let report = library.verification.report(of: number) else {
            throw LibraryError(
                .notFound,
                "There is no result of this verification any more. Verify the files again."
            )
        }
        return report
    }
}

// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

/// The files with symbols that the command was given.
struct Symbols {
    /// A report with the functions that the files name.
    struct Result {
        /// The report, which is unchanged if no file belongs to the report.
        fileprivate(set) var report: Report
        /// Notes about files that do not belong to the report, or whose functions stay unknown.
        fileprivate(set) var notes: [String] = []
        /// Whether a file belongs to the report.
        fileprivate(set) var isSymbolicated = false
    }

    let binaries: [String]
    let folders: [DebugFolder]

    /// Adds functions to the frames of a report.
    func result(of report: Report) -> Result {
        var result = Result(report: report)
        for binary in binaries {
            do {
                result.report = try result.report.symbolicated(with: binary)
                result.isSymbolicated = true
            } catch {
                // The other files may still belong to the report.
                result.notes.append(error.message)
            }
        }
        if !folders.isEmpty { search(folders, &result) }
        return result
    }

    private func search(_ folders: [DebugFolder], _ result: inout Result) {
        let (found, missing) = result.report.symbolicated(in: folders)
        let builds = missing.map { "\($0.path) (\($0.buildID ?? "without a build ID"))" }
        if found.frames.contains(where: { $0.function != nil }) {
            result.report = found
            result.isSymbolicated = true
            result.notes += builds.map { "no symbols of \($0)" }
        } else {
            let known = builds.isEmpty ? "none" : builds.joined(separator: ", ")
            result.notes.append(
                "No folder contains symbols of a file in the report, which names \(known). "
                    + "Add their debug files."
            )
        }
    }
}

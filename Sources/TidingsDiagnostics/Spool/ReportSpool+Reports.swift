// SPDX-License-Identifier: Apache-2.0
import TidingsFiles

extension ReportSpool {
    /// Returns the reports, newest first, including everything recorded before the call.
    func reports() async -> [Report] {
        await onQueue { spool in spool.names().reversed().compactMap { spool.read($0) } }
    }

    /// Deletes everything recorded before the call, including unreadable files.
    func deleteAll() async throws(DiagnosticsError) {
        try Self.check(await onQueue { $0.folder.removeAll() })
    }

    /// Deletes one report and returns whether the report existed.
    @discardableResult
    func remove(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        let (wasThere, failure) = await onQueue { spool -> (Bool, SystemError?) in
            do throws(SystemError) {
                return (try spool.folder.remove(id: id), nil)
            } catch {
                return (false, error)
            }
        }
        try Self.check(failure)
        return wasThere
    }

    /// Waits until everything recorded before the call is either stored, or lost and counted.
    func flush() async {
        await onQueue { _ in }
    }

    private static func check(_ failure: SystemError?) throws(DiagnosticsError) {
        guard let failure else { return }
        throw DiagnosticsError(
            .folderUnusable,
            "Not all reports could be deleted (\(failure)). Make their folder writable.",
            cause: failure
        )
    }
}

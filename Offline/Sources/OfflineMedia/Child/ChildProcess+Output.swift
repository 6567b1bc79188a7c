// SPDX-License-Identifier: Apache-2.0
import Glibc

extension ChildProcess {
    /// Runs the program, which replaces the file at a path.
    ///
    /// After an error the file does not exist.
    func write(_ path: String) async throws(MediaError) {
        unlink(path)
        do throws(MediaError) {
            let result = try await run()
            if let error = MediaError(result, of: String(name)) { throw error }
        } catch {
            unlink(path)
            throw error
        }
    }
}

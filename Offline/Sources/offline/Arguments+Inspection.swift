// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

extension Arguments {
    /// Parses the arguments of `inspect`: one address, and the options that decide about its media.
    static func inspect(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        let json = scanner.flag("--json")
        let get = try get(&scanner)
        guard get.addresses.count == 1, get.lists.isEmpty else {
            throw UsageError("Inspect one address at a time: offline inspect https://…")
        }
        // A folder for copies belongs to the commands that an inspection names.
        guard !get.waits || get.output != nil, !get.again, get.options.checksum == nil,
            get.options.limit == nil
        else {
            throw UsageError(
                "--wait, --again, --checksum and --limit belong to `offline get`: an inspection "
                    + "downloads nothing."
            )
        }
        return .inspect(get, json: json)
    }
}

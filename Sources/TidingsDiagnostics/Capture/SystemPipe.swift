// SPDX-License-Identifier: Apache-2.0
import TidingsFiles

#if os(Linux)
import Foundation

/// The two ends of a pipe that child processes do not inherit.
struct SystemPipe {
    let output: Int32
    let input: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        input = ends[1]
    }

    func close() {
        Glibc.close(output)
        Glibc.close(input)
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
import Testing

/// The entry point of each test target's program, linked by `Scripts/link-programs.py`.
@main
struct TestMain {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}

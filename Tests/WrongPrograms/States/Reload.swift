// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'refresh()'
import Tidings
import TidingsResources

func open(_ names: Resource<[String]>) {
    names.reload()
}

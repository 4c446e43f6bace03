import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  rate,
  start
} from "./chunk-445BFRM3.js";
import "./chunk-JY6Y7VY7.js";
import "./chunk-SKW2AAU4.js";
import "./chunk-B6Z23CTJ.js";
import "./chunk-AHZMYVYX.js";
import "./chunk-JNKD5VFV.js";
import "./chunk-IDTNILGS.js";
import "./chunk-Q3EFARSN.js";
import "./chunk-2ZILVW26.js";
import "./chunk-ZZBHAMLH.js";
import "./chunk-QVSNP7MA.js";
import "./chunk-7PKBJBWL.js";
import "./chunk-GDKBED2B.js";
import "./chunk-MVJRAPNE.js";
import "./chunk-FKOQU2V5.js";
import "./chunk-4D2OEZ5S.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import "./chunk-BMNGXVO7.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-6UFBRXO3.js";
import "./chunk-UUXWWBQZ.js";
import "./chunk-5BTQFAOF.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-ETUHBXFQ.js";
import "./chunk-AD2KZVWM.js";
import "./chunk-55DNJSQA.js";
import "./chunk-S5BW4IPQ.js";
import "./chunk-RZSFIAW7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-EXRUUO7E.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-7DF5MID3.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";
export {
  rate,
  start
};
